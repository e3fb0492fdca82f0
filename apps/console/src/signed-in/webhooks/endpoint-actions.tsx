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
  const enable = useChange(endpointKeys(id), () =>
    api.POST('/api/webhooks/endpoints/{id}/enable', { params }),
  );
  const disable = useChange(endpointKeys(id), () =>
    api.POST('/api/webhooks/endpoints/{id}/disable', { params }),
  );
  const waiting = data?.endpoints.find(({ endpointId }) => endpointId === id)?.waiting ?? 0;
  if (state === 'removed') return null;
  return (
    <div className={lists.action}>
      <span className={lists.row}>
        {state === 'enabled' ? (
          <>
            <Button look="primary" disabled={test.isBusy} onClick={() => void test.run()}>
              {own.test}
            </Button>
            <Button disabled={disable.isBusy} onClick={() => void disable.run()}>
              {own.disable}
            </Button>
          </>
        ) : (
          <Button look="primary" disabled={enable.isBusy} onClick={() => void enable.run()}>
            {own.enable}
          </Button>
        )}
      </span>
      {state === 'enabled' ? (
        <p>
          {own.test}: {own.testHint} {own.disable}: {own.disableHint}
        </p>
      ) : (
        <p>{own.enableHint(waiting.toLocaleString(language))}</p>
      )}
      <FaultNotice fault={enable.fault ?? disable.fault ?? test.fault} outdated={own.changedMeanwhile} />
    </div>
  );
}
