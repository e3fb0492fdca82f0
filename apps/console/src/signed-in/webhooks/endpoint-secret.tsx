import type { components } from '@canvass/client';
import { Button, Field, Notice, Panel, Reference } from '@canvass/console-ui';
import { useState, type FormEvent } from 'react';
import { api, dataOf } from '../api';
import { Facts } from '../facts';
import { Moment } from '../moment';
import styles from './desk.module.css';
import { useEndpointTexts } from './endpoint-texts';
import { useEndpointChange } from './use-endpoint-change';

type Secrets = components['schemas']['WebhookSecrets'];

/** The secret that signs the messages: shown on request, and replaced with an overlap. */
export function EndpointSecret({ endpointId: id }: { endpointId: string }) {
  const own = useEndpointTexts();
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [overlap, setOverlap] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const show = useEndpointChange(id, async () =>
    setSecrets(
      await dataOf(api.GET('/api/webhooks/endpoints/{id}/secret', { params: { path: { id } } })).then(
        (data) => data ?? null,
      ),
    ),
  );
  const rotate = useEndpointChange(id, async () => {
    const rotated = await dataOf(
      api.POST('/api/webhooks/endpoints/{id}/rotate-secret', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: overlap === '' ? {} : { overlapSeconds: Number(overlap) },
      }),
    );
    setSecrets(rotated ?? null);
    // The next rotation is another request.
    setKey(crypto.randomUUID());
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate();
  };
  const refusal = show.refusal ?? rotate.refusal;
  return (
    <Panel title={own.secret}>
      <div className={styles.actions}>
        <span>
          {secrets === null ? (
            <Button disabled={show.isPending} onClick={() => show.mutate()}>
              {own.showSecret}
            </Button>
          ) : (
            <Button onClick={() => setSecrets(null)}>{own.hideSecret}</Button>
          )}
        </span>
      </div>
      {secrets !== null && (
        <Facts
          facts={[
            [own.secret, <Reference>{secrets.secret}</Reference>],
            ...secrets.previous.map(
              ({ secret, expiresAt }) =>
                [
                  own.previous,
                  <>
                    <Reference>{secret}</Reference> {own.validUntil} <Moment at={expiresAt} />
                  </>,
                ] as const,
            ),
          ]}
        />
      )}
      <form className={styles.form} onSubmit={submit}>
        <Field
          label={own.overlap}
          hint={own.overlapHint}
          type="number"
          min={0}
          step={1}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
        />
        <Button type="submit" disabled={rotate.isPending}>
          {own.rotate}
        </Button>
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
      </form>
    </Panel>
  );
}
