import { Button, Field, Notice } from '@canvass/console-ui';
import { useState, type FormEvent } from 'react';
import { Fault, faultOf, noAnswer } from '../api';
import { consolePath } from '../base';
import { useFaultText } from '../fault-text';
import { takeFragment } from '../fragment';
import { useTexts } from '../i18n';
import { post } from './calls';
import { CardPage } from './card-page';
import styles from './sign-in.module.css';

const token = takeFragment('token');

/** Sets a password with the link of an invitation or a reset. Without a link, one is asked for. */
export default function SetPasswordPage() {
  const texts = useTexts();
  return (
    <CardPage
      title={token === null ? texts.forgottenTitle : texts.setPasswordTitle}
      link={<a href={`${consolePath}/`}>{texts.toSignIn}</a>}
    >
      {token === null ? (
        <SentForm
          label={texts.email}
          type="email"
          autoComplete="username"
          submit={texts.forgottenSend}
          done={texts.forgottenSent}
          send={(email) => send('/api/auth/password-reset/request', { email })}
        />
      ) : (
        <SentForm
          label={texts.newPassword}
          type="password"
          autoComplete="new-password"
          submit={texts.setPassword}
          done={texts.passwordSet}
          send={(newPassword) => send('/api/auth/password-reset', { token, newPassword })}
        />
      )}
    </CardPage>
  );
}

interface SentFormProps {
  label: string;
  type: 'email' | 'password';
  autoComplete: string;
  submit: string;
  /** The text that is shown afterwards. */
  done: string;
  send(value: string): Promise<void>;
}

function SentForm({ label, type, autoComplete, submit, done, send }: SentFormProps) {
  const { ofFault } = useFaultText();
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const [fault, setFault] = useState<Fault | null>(null);
  const submitted = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setState('busy');
    try {
      await send(String(new FormData(event.currentTarget).get('value')));
      setState('done');
    } catch (error) {
      setFault(error instanceof Fault ? error : noAnswer());
      setState('open');
    }
  };
  if (state === 'done') return <Notice tone="good">{done}</Notice>;
  return (
    <form className={styles.form} onSubmit={(event) => void submitted(event)}>
      {fault !== null && <Notice tone="bad">{ofFault(fault, label)}</Notice>}
      <Field label={label} name="value" type={type} autoComplete={autoComplete} required autoFocus />
      <Button look="primary" type="submit" disabled={state === 'busy'}>
        {submit}
      </Button>
    </form>
  );
}

/** @throws {Fault} */
async function send(path: string, body: object): Promise<void> {
  const response = await post(path, body);
  if (!response.ok) throw await faultOf(response);
}
