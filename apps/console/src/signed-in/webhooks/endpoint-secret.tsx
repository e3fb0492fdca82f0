import type { components } from '@canvass/client';
import { Button, Field, Panel, Reference, toast } from '@canvass/console-ui';
import { useState } from 'react';
import { FaultNotice, useAction, useChange } from '../action';
import { api, dataOf, get } from '../api';
import { CopyButton } from '../copy-button';
import { Facts } from '../facts';
import { textInput } from '../fields';
import { FormDialog } from '../form-dialog';
import lists from '../list.module.css';
import { Moment } from '../moment';
import { useEndpointTexts } from './endpoint-texts';

type Secrets = components['schemas']['WebhookSecrets'];

/** The secret that signs the messages: shown on request, and replaced with an overlap. */
export function EndpointSecret({ endpointId: id }: { endpointId: string }) {
  const own = useEndpointTexts();
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [overlap, setOverlap] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const show = useAction(async () => {
    const params = { path: { id } };
    setSecrets((await get('/api/webhooks/endpoints/{id}/secret', params)) ?? null);
  });
  const [isAsking, setAsking] = useState(false);
  const rotate = useChange([['endpoint', id]], async () => {
    const rotated = await dataOf(
      api.POST('/api/webhooks/endpoints/{id}/rotate-secret', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: overlap === '' ? {} : { overlapSeconds: Number(overlap) },
      }),
    );
    setSecrets(rotated ?? null);
    toast(own.rotated);
    setAsking(false);
    // The next rotation is another request.
    setKey(crypto.randomUUID());
  });
  return (
    <Panel title={own.secret}>
      <div className={lists.action}>
        <div className={lists.row}>
          {secrets === null ? (
            <Button disabled={show.isBusy} onClick={() => void show.run()}>
              {own.showSecret}
            </Button>
          ) : (
            <Button onClick={() => setSecrets(null)}>{own.hideSecret}</Button>
          )}
          <Button onClick={() => setAsking(true)}>{own.rotate} …</Button>
        </div>
      </div>
      {secrets !== null && (
        <Facts
          facts={[
            [own.secret, <Copied secret={secrets.secret} />],
            ...secrets.previous.map(
              ({ secret, expiresAt }) =>
                [
                  own.previous,
                  <>
                    <Copied secret={secret} /> {own.validUntil} <Moment at={expiresAt} isExact />
                  </>,
                ] as const,
            ),
          ]}
        />
      )}
      {isAsking && (
        <FormDialog title={own.rotate} submit={own.rotate} action={rotate} close={() => setAsking(false)}>
          <p>{own.rotateText}</p>
          <Field
            name="overlapSeconds"
            label={own.overlap}
            hint={own.overlapHint}
            type="number"
            min={0}
            step={1}
            autoFocus
            {...textInput(overlap, setOverlap)}
          />
        </FormDialog>
      )}
      <FaultNotice fault={show.fault} />
    </Panel>
  );
}

const Copied = ({ secret }: { secret: string }) => (
  <>
    <Reference>{secret}</Reference> <CopyButton text={secret} look="quiet" />
  </>
);
