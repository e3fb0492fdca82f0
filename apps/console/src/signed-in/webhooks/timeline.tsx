import type { components } from '@canvass/client';
import { Panel } from '@canvass/console-ui';
import { useEffect, useState, type ReactNode } from 'react';
import { Outcome, DeliveryStatus } from '../delivery-state';
import { Moment } from '../moment';
import styles from './desk.module.css';
import { useDeskTexts } from './texts';

type Delivery = components['schemas']['WebhookDeliveryDetail'];

/** Shows what happened to a delivery, in the order of time, and what is next. */
export function Timeline({ delivery }: { delivery: Delivery }) {
  const texts = useDeskTexts();
  const { occurredAt, createdAt, attempts, nextAttemptAt, finishedAt, status } = delivery;
  const steps: [key: string, at: string | null, content: ReactNode][] = [
    ['occurred', occurredAt, texts.changed],
    ['created', createdAt, texts.fannedOut],
    ...attempts.map(({ number, startedAt, outcome, statusCode }): [string, string, ReactNode] => [
      `attempt ${number}`,
      startedAt,
      <>
        {texts.attempt(number)}: <Outcome outcome={outcome} statusCode={statusCode} />
      </>,
    ]),
    ...(finishedAt === null
      ? []
      : [['end', finishedAt, <DeliveryStatus status={status} />] satisfies [string, string, ReactNode]]),
  ];
  return (
    <Panel title={texts.timeline}>
      <ol className={styles.timeline}>
        {steps.map(([key, at, content]) => (
          <li key={key}>
            <Moment at={at} />
            <span>{content}</span>
          </li>
        ))}
        {nextAttemptAt !== null && (
          <li>
            <Moment at={nextAttemptAt} />
            <Countdown to={nextAttemptAt} />
          </li>
        )}
      </ol>
    </Panel>
  );
}

/** Shows how long it is until the next attempt. */
function Countdown({ to }: { to: string }) {
  const texts = useDeskTexts();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((Date.parse(to) - now) / 1000);
  if (seconds <= 0) return <span>{texts.nextNow}</span>;
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return <span>{texts.nextIn(time)}</span>;
}
