import type { components } from '@canvass/client';
import { Button, buttonClass, Field, Notice } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useAction, useChange } from '../action';
import { ActionForm } from '../action-form';
import { Answer } from '../answer';
import { api, dataOf, get } from '../api';
import { saveFile } from '../download';
import editor from '../editor.module.css';
import { textInput } from '../fields';
import lists from '../list.module.css';
import { useFormats } from '../formats';
import { ProofFields, type OwnProof } from '../proof-fields';
import { Once } from './once';
import { useOwnTexts } from './own-texts';
import styles from './people.module.css';

type Secret = components['schemas']['SecondFactorSecret'];

/** Shows whether there is a second factor, and the way to have or to remove one. */
export function OwnSecondFactor() {
  const texts = useOwnTexts();
  const { number } = useFormats();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const factor = useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => get('/api/auth/me/second-factor', {}, signal),
  });
  return (
    <Answer query={factor} operation="getSecondFactor">
      {({ isEnabled, isRequired, recoveryCodesLeft }) => (
        <div className={editor.editor}>
          <p>
            {isEnabled ? texts.isOn(number(recoveryCodesLeft)) : texts.isOff} {isRequired && texts.isRequired}
          </p>
          {codes !== null && <RecoveryCodes codes={codes} />}
          {isEnabled ? <Removal /> : <Enrolment done={setCodes} />}
        </div>
      )}
    </Answer>
  );
}

/** The password, then the secret, then a code that proves that the app has it. */
function Enrolment({ done }: { done(codes: readonly string[]): void }) {
  const texts = useOwnTexts();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [code, setCode] = useState('');
  const begin = useAction(async (body: OwnProof) => {
    setSecret(await dataOf(api.POST('/api/auth/me/second-factor', { body })));
  });
  const confirm = useChange([['second-factor'], ['sessions', 'own']], async () => {
    const made = await dataOf(api.POST('/api/auth/me/second-factor/confirm', { body: { code } }));
    done(made.recoveryCodes);
  });
  if (secret === null) return <PasswordForm submit={texts.begin} action={begin} />;
  return (
    <ActionForm className={editor.group} action={confirm} submit={texts.confirm}>
      <p>{texts.scanText}</p>
      {/* Black on white in the dark theme, too: many apps read nothing else. */}
      <QRCodeSVG className={lists.code} value={secret.otpauthUri} marginSize={4} title={texts.qrCode} />
      <Once label={texts.secret} text={secret.secret}>
        {texts.secretText}
      </Once>
      <p>
        <a className={buttonClass} href={secret.otpauthUri}>
          {texts.openApp}
        </a>
      </p>
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        {...textInput(code, setCode)}
      />
    </ActionForm>
  );
}

function Removal() {
  const texts = useOwnTexts();
  const remove = useChange([['second-factor']], (body: OwnProof) =>
    api.POST('/api/auth/me/second-factor/remove', { body }),
  );
  return <PasswordForm submit={texts.remove} action={remove} isDanger />;
}

interface PasswordFormProps {
  submit: string;
  action: ReturnType<typeof useAction<[OwnProof]>>;
  isDanger?: boolean;
}

/** Lets the person who asks prove again who it is. */
function PasswordForm({ action, ...rest }: PasswordFormProps) {
  const [own, setOwn] = useState<OwnProof>({ currentPassword: '' });
  const sent = { ...action, run: () => action.run(own) };
  return (
    <ActionForm className={editor.group} action={sent} {...rest} isIncomplete={own.currentPassword === ''}>
      <ProofFields own={own} setOwn={setOwn} fault={action.fault} />
    </ActionForm>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const texts = useOwnTexts();
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <Notice tone="warn">{texts.recoveryText}</Notice>
      <ul className={styles.codes} aria-label={texts.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => saveFile('recovery-codes.txt', new Blob([text]))}>{texts.download}</Button>
      </div>
    </>
  );
}
