import { Button } from '@canvass/console-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePreferences } from '../../i18n';
import { FaultNotice, useAction, useChange } from '../action';
import { api, dataOf } from '../api';
import lists from '../list.module.css';
import { useEndpointTexts } from './endpoint-texts';
import { endpointKeys, type Endpoint } from '../use-endpoints';
import { useBacklog } from './use-stats';

/** Tests, enables and disables an endpoint, and says before what follows. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint & { etag: string } }) {
  const own = useEndpointTexts();
  const { language } = usePreferences();
  const [, navigate] = useLocation();
  const { data } = useBacklog();
  const { id, state, etag } = endpoint;
  const params = { path: { id }, header: { 'If-Match': etag } };
  const [testKey] = useState(() => crypto.randomUUID());
  const test = useAction(async () => {
    const header = { 'Idempotency-Key': testKey };
    const path = '/api/webhooks/endpoints/{id}/test';
    const sent = await dataOf(api.POST(path, { params: { path: { id }, header }, body: {} }));
    navigate(`/deliveries/${sent!.deliveryId}`);
  });
  const turn = useChange(endpointKeys(id), (to: 'enable' | 'disable') =>
    api.POST(`/api/webhooks/endpoints/{id}/${to}`, { params }),
  );
  const waiting = data?.endpoints.find(({ endpointId }) => endpointId === id)?.waiting ?? 0;
  if (state === 'removed') return null;
  return (
    <div className={lists.action}>
      {state === 'enabled' ? (
        <>
          <span className={lists.row}>
            <Button look="primary" disabled={test.isBusy} onClick={() => void test.run()}>
              {own.test}
            </Button>
            <Button disabled={turn.isBusy} onClick={() => void turn.run('disable')}>
              {own.disable}
            </Button>
          </span>
          <p>
            {own.test}: {own.testHint} {own.disable}: {own.disableHint}
          </p>
        </>
      ) : (
        <>
          <Button look="primary" disabled={turn.isBusy} onClick={() => void turn.run('enable')}>
            {own.enable}
          </Button>
          <p>{own.enableHint(waiting.toLocaleString(language))}</p>
        </>
      )}
      <FaultNotice fault={turn.fault ?? test.fault} outdated={own.changedMeanwhile} />
    </div>
  );
}
