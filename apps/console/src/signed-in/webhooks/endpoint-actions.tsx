import { Button, Notice } from '@canvass/console-ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useFaultText } from '../../fault-text';
import { usePreferences } from '../../i18n';
import { api, dataOf } from '../api';
import lists from '../list.module.css';
import styles from './desk.module.css';
import { useEndpointTexts } from './endpoint-texts';
import { useEndpointChange } from './use-endpoint-change';
import type { Endpoint } from '../use-endpoints';
import { useBacklog } from './use-stats';

/** Tests, enables and disables an endpoint, and says before what follows. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint & { etag: string } }) {
  const { ofFault } = useFaultText();
  const own = useEndpointTexts();
  const { language } = usePreferences();
  const [, navigate] = useLocation();
  const { data } = useBacklog();
  const { id, state, etag } = endpoint;
  const params = { path: { id }, header: { 'If-Match': etag } };
  const [testKey] = useState(() => crypto.randomUUID());
  const test = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/webhooks/endpoints/{id}/test', {
          params: { path: { id }, header: { 'Idempotency-Key': testKey } },
          body: {},
        }),
      ),
    onSuccess: (sent) => navigate(`/deliveries/${sent!.deliveryId}`),
  });
  const enable = useEndpointChange(id, () => api.POST('/api/webhooks/endpoints/{id}/enable', { params }));
  const disable = useEndpointChange(id, () => api.POST('/api/webhooks/endpoints/{id}/disable', { params }));
  const waiting = data?.endpoints.find(({ endpointId }) => endpointId === id)?.waiting ?? 0;
  const refusal = enable.refusal ?? disable.refusal ?? (test.error === null ? null : ofFault(test.error));
  if (state === 'removed') return null;
  return (
    <div className={styles.actions}>
      <span className={lists.badges}>
        {state === 'enabled' ? (
          <>
            <Button look="primary" disabled={test.isPending} onClick={() => test.mutate()}>
              {own.test}
            </Button>
            <Button disabled={disable.isPending} onClick={() => disable.mutate()}>
              {own.disable}
            </Button>
          </>
        ) : (
          <Button look="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
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
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
    </div>
  );
}
