import { Button, Field, Notice } from '@canvass/console-ui';
import { useState, type FormEvent } from 'react';
import { Fault, noAnswer } from '../api';
import { useFaultText } from '../fault-text';
import { type Texts, useTexts } from '../i18n';
import styles from './sign-in.module.css';
import { session } from './use-session';

/**
 * Address and password, and what the server asks for besides: the tenant, the second factor.
 *
 * @param tenant whose session it continues
 */
export function SignInForm({ email = '', tenant }: { email?: string; tenant?: string }) {
  const texts = useTexts();
  const { ofFault } = useFaultText();
  const [fault, setFault] = useState<Fault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState({ tenant: false, mayName: false, code: false });

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const value = (name: string) => String(values.get(name) ?? '');
    const named = tenant ?? value('tenant');
    setBusy(true);
    try {
      await session.signIn({
        email: value('email'),
        password: value('password'),
        ...(named !== '' && { tenant: named }),
        ...(asked.code && { code: value('code') }),
      });
    } catch (error) {
      const refused = error instanceof Fault ? error : noAnswer();
      // These ask for one more field, and are no failure of what was entered.
      if (refused.code === 'tenant_required') setAsked({ ...asked, tenant: true });
      else if (refused.code === 'second_factor_required') setAsked({ ...asked, code: true });
      else if (refused.code === 'invalid_credentials') setAsked({ ...asked, mayName: tenant === undefined });
      setFault(refused);
    } finally {
      setBusy(false);
    }
  }

  const sentence = fault && sentenceOf(fault, texts, asked.code, ofFault);
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      {sentence !== null && <Notice tone="bad">{sentence}</Notice>}
      <Field
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
        autoFocus={email === ''}
      />
      <Field
        label={texts.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== ''}
      />
      {asked.tenant ? (
        <Field label={texts.tenant} name="tenant" hint={texts.tenantHint} required autoFocus />
      ) : (
        asked.mayName && (
          <details>
            <summary>{texts.nameTenant}</summary>
            <Field label={texts.tenant} name="tenant" hint={texts.tenantHint} autoComplete="organization" />
          </details>
        )
      )}
      {asked.code && (
        <Field
          label={texts.code}
          name="code"
          hint={texts.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          autoFocus
        />
      )}
      <Button look="primary" type="submit" disabled={isBusy}>
        {isBusy ? texts.signingIn : texts.signIn}
      </Button>
    </form>
  );
}

/** The fault, in one sentence; null if the form only asks for more. */
function sentenceOf(
  fault: Fault,
  texts: Texts,
  withCode: boolean,
  ofFault: (fault: Fault) => string,
): string | null {
  switch (fault.code) {
    case 'tenant_required':
    case 'second_factor_required':
      return null;
    case 'invalid_credentials':
      return withCode ? texts.wrongCode : texts.wrongCredentials;
    case 'too_many_requests':
      return fault.retryAfter === null ? texts.tooManyAttemptsLater : texts.tooManyAttempts(fault.retryAfter);
    case 'origin_not_allowed':
      return texts.originNotAllowed;
    default:
      return ofFault(fault);
  }
}
