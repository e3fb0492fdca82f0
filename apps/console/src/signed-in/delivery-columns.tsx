import type { components } from '@canvass/client';
import { useMemo } from 'react';
import { useTexts } from '../i18n';
import { column, foreignColumn, numberColumn, timeColumn } from './columns';
import { DeliveryStatus, Outcome } from './delivery-state';
import { useDeliveryTexts } from './delivery-texts';
import { useUrlOf } from './use-endpoints';
import { useWebhookTexts } from './webhook-texts';

type Delivery = components['schemas']['WebhookDelivery'];

/** The columns of deliveries, of which each list and each table has some. */
export function useDeliveryColumns() {
  const texts = useTexts();
  const webhook = useWebhookTexts();
  const { events } = useDeliveryTexts();
  const urlOf = useUrlOf();
  return useMemo(
    () => ({
      event: column<Delivery>('event', webhook.event, ({ eventName }) => events[eventName] ?? eventName, {
        width: 220,
        isLink: true,
        isPinned: true,
        text: ({ eventName }) => eventName,
      }),
      status: column<Delivery>('status', webhook.status, ({ status }) => <DeliveryStatus status={status} />, {
        width: 165,
        text: ({ status }) => status,
      }),
      outcome: column<Delivery>(
        'outcome',
        webhook.outcome,
        ({ lastOutcome, lastStatusCode }) => <Outcome outcome={lastOutcome} statusCode={lastStatusCode} />,
        {
          width: 220,
          text: ({ lastOutcome, lastStatusCode }) => [lastStatusCode, lastOutcome].filter(Boolean).join(' '),
        },
      ),
      endpoint: foreignColumn<Delivery>('endpoint', webhook.endpoint, ({ endpointId }) => urlOf(endpointId), {
        width: 240,
        isOnCard: true,
      }),
      attempts: numberColumn<Delivery>('attempts', webhook.attempts, ({ attemptCount }) => attemptCount, {
        width: 90,
        text: ({ attemptCount }) => String(attemptCount),
      }),
      created: timeColumn<Delivery>('createdAt', texts.createdAt, ({ createdAt }) => createdAt, {
        isOnCard: true,
      }),
      last: timeColumn<Delivery>('lastAttemptAt', webhook.lastAttempt, ({ lastAttemptAt }) => lastAttemptAt),
    }),
    [texts, webhook, events, urlOf],
  );
}
