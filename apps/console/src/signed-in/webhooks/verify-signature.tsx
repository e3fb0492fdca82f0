import type { components } from '@canvass/client';
import { Button, Field, Notice, Panel } from '@canvass/console-ui';
import { useState } from 'react';
import { submitting, textInput } from '../fields';
import lists from '../list.module.css';
import { isSignedBy } from './signature';
import { useDeskTexts } from './texts';

type Delivery = components['schemas']['WebhookDeliveryDetail'];

/** Checks the signature of the last attempt with a secret that a user pastes. It is not sent anywhere. */
export function VerifySignature({ delivery }: { delivery: Delivery }) {
  const texts = useDeskTexts();
  const [secret, setSecret] = useState('');
  const [fits, setFits] = useState<boolean | null>(null);
  const headers = delivery.attempts.at(-1)?.requestHeaders;
  if (headers === undefined) return null;
  const check = async () => setFits(await isSignedBy(secret.trim(), headers, delivery.messageBody));
  return (
    <Panel title={texts.verify}>
      <form className={lists.work} onSubmit={submitting(() => void check())}>
        <Field
          label={texts.secret}
          hint={texts.verifyHint}
          autoComplete="off"
          spellCheck={false}
          {...textInput(secret, (text) => {
            setSecret(text);
            setFits(null);
          })}
        />
        <Button type="submit" disabled={secret.trim() === ''}>
          {texts.check}
        </Button>
        {fits !== null && (
          <Notice tone={fits ? 'good' : 'bad'}>{fits ? texts.signatureFits : texts.signatureWrong}</Notice>
        )}
      </form>
    </Panel>
  );
}
