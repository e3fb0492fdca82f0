import type { components } from '@canvass/client';
import { Button, ForeignText, Notice } from '@canvass/console-ui';
import { useState } from 'react';
import { Fault } from '../../api';
import { FaultNotice, useAction } from '../action';
import { api, dataOf } from '../api';
import { useDeliveryTexts } from '../delivery-texts';
import editor from '../editor.module.css';
import { useFormats } from '../formats';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import styles from './desk.module.css';
import { storedOf, type EditedEndpoint } from './settings';
import { faultOfTrial } from './settings-faults';
import { useSettingsTexts } from './settings-texts';

type Trial = components['schemas']['WebhookTrialBody'];
type Result = components['schemas']['WebhookTrial'];

const mask = '********';

/** Sends the example of the endpoint's first event to it, before it is saved. */
export function EndpointTrial({ edited }: { edited: EditedEndpoint }) {
  const own = useSettingsTexts();
  const me = useMe();
  const [result, setResult] = useState<Result | null>(null);
  const [event] = edited.events;
  const endpoint = storedOf(edited);
  const trial = useAction(async () => {
    setResult(null);
    try {
      const body = { event, endpoint } as Trial;
      setResult((await dataOf(api.POST('/api/webhooks/endpoints/try', { body }))) ?? null);
    } catch (error) {
      throw error instanceof Fault ? faultOfTrial(error, edited.key) : error;
    }
  });
  if (!may(me, 'tryWebhookEndpoint')) return null;
  // The API gives no secret back: only the relay has the stored one.
  const isMasked = JSON.stringify(endpoint).includes(`"${mask}"`);
  const isPossible = event !== undefined && endpoint.Url !== '' && !isMasked;
  return (
    <div className={editor.group}>
      <div className={lists.row}>
        <Button disabled={!isPossible || trial.isBusy} onClick={() => void trial.run()}>
          {own.tryIt}
        </Button>
        <span className={styles.hint}>
          {isMasked ? own.tryMasked : own.tryHint(event === undefined ? '' : own.events[event]!)}
        </span>
      </div>
      <FaultNotice fault={trial.fault} />
      {result !== null && <TrialResult result={result} />}
    </div>
  );
}

function TrialResult({ result: { outcome, statusCode, error, totalMs, responseBody } }: { result: Result }) {
  const own = useSettingsTexts();
  const { outcomes } = useDeliveryTexts();
  const { number } = useFormats();
  const facts = [outcomes[outcome] ?? outcome, statusCode, `${number(totalMs)} ms`];
  return (
    <Notice tone={outcome === 'success' ? 'good' : 'bad'}>
      {facts.filter((fact) => fact !== null).join(' · ')}
      {error !== null && (
        <>
          <br />
          <ForeignText>{error}</ForeignText>
        </>
      )}
      {responseBody !== '' && (
        <pre className={styles.body} tabIndex={0} aria-label={own.tryResponse}>
          <ForeignText>{responseBody}</ForeignText>
        </pre>
      )}
    </Notice>
  );
}
