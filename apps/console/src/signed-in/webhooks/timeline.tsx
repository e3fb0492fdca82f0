import type { components } from '@canvass/client';
import { Panel } from '@canvass/console-ui';
import type { ReactNode } from 'react';
import { Outcome, DeliveryStatus } from '../delivery-state';
import { Moment } from '../moment';
import styles from './desk.module.css';
import { useDeskTexts } from './texts';
import { useWebhookTexts } from '../webhook-texts';

type Delivery = components['schemas']['WebhookDeliveryDetail'];

/** Shows what happened to a delivery, in the order of time, and what is next. */
export function Timeline({ delivery }: { delivery: Delivery }) {
  const texts = useDeskTexts();
  const { nextAttempt } = useWebhookTexts();
  const { occurredAt, createdAt, attempts, nextAttemptAt, finishedAt, status } = delivery;
  const steps: [key: string, at: string | null, content: ReactNode, isExact?: boolean][] = [
    ['occurred', occurredAt, texts.changed],
    ['created', createdAt, texts.fannedOut],
    ...attempts.map(({ number, startedAt, outcome, statusCode }): [string, string, ReactNode] => [
      `attempt ${number}`,
      startedAt,
      <>
        {texts.attempt(number)}: <Outcome outcome={outcome} statusCode={statusCode} />
      </>,
    ]),
  ];
  if (finishedAt !== null) steps.push(['end', finishedAt, <DeliveryStatus status={status} />]);
  if (nextAttemptAt !== null) steps.push(['next', nextAttemptAt, nextAttempt, true]);
  return (
    <Panel title={texts.timeline}>
      <ol className={styles.timeline}>
        {steps.map(([key, at, content, isExact = false]) => (
          <li key={key}>
            <Moment at={at} isExact={isExact} />
            <span>{content}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
