import type { components } from '@canvass/client';
import { Panel, State, Table, type Column } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Answer } from '../answer';
import { get } from '../api';
import { column, foreignColumn, timeColumn } from '../columns';
import { DeliveryStatus, Outcome } from '../delivery-state';
import { useDeliveryTexts } from '../delivery-texts';
import { useFormats } from '../formats';
import { useWebhookTexts } from '../webhook-texts';
import { useUrlOf } from '../use-endpoints';
import styles from './answers.module.css';
import { useSubmissionTexts, type SubmissionTexts } from './texts';

type Delivery = components['schemas']['WebhookDelivery'];
type Submission = components['schemas']['SubmissionDetail'];

/** Deliveries of a submission that are shown. More are in the list of deliveries. */
const limit = 50;

/** Shows what was sent because of a submission, to whom, and how it ended. */
export function DeliveriesOf({ submission }: { submission: Submission }) {
  const own = useSubmissionTexts();
  const texts = useWebhookTexts();
  const { events } = useDeliveryTexts();
  const { second } = useFormats();
  const urlOf = useUrlOf();
  const { id: entityId } = submission;
  const deliveries = useQuery({
    queryKey: ['deliveries', 'of', entityId],
    refetchInterval: 5_000,
    queryFn: ({ signal }) => get('/api/webhooks/deliveries', { query: { entityId, limit } }, signal),
  });
  const columns: Column<Delivery>[] = [
    column('event', texts.event, ({ id, eventName }) => (
      <Link href={`/deliveries/${id}`}>{events[eventName] ?? eventName}</Link>
    )),
    foreignColumn('endpoint', texts.endpoint, ({ endpointId }) => urlOf(endpointId)),
    column('status', texts.status, ({ status }) => <DeliveryStatus status={status} />),
    column('outcome', texts.outcome, ({ lastOutcome, lastStatusCode }) => (
      <Outcome outcome={lastOutcome} statusCode={lastStatusCode} />
    )),
    timeColumn('at', texts.lastAttempt, ({ lastAttemptAt }) => lastAttemptAt),
  ];
  return (
    <Panel
      title={own.deliveriesOfIt}
      tools={<Link href={`/deliveries?entityId=${entityId}`}>{texts.allDeliveries}</Link>}
    >
      <Answer query={deliveries} operation="listWebhookDeliveries">
        {({ items }) => (
          <details className={styles.deliveries}>
            <summary>{storyOf(submission, items, own, second)}</summary>
            {items.length === 0 ? (
              <State title={own.noDeliveries}>{own.noDeliveriesHint}</State>
            ) : (
              <Table label={own.deliveriesOfIt} columns={columns} rows={items} keyOf={({ id }) => id} />
            )}
          </details>
        )}
      </Answer>
    </Panel>
  );
}

/** The story from the first answer to the last delivery, in one line. */
function storyOf(
  { createdAt, completedAt }: Submission,
  deliveries: readonly Delivery[],
  texts: SubmissionTexts,
  time: (at: string) => string,
): string {
  const count = (...statuses: string[]) =>
    deliveries.filter(({ status }) => statuses.includes(status)).length;
  const parts = [
    [count('delivered'), texts.deliveredOf],
    [count('pending', 'failed'), texts.waitingOf],
    [count('dead'), texts.deadOf],
    [count('cancelled'), texts.cancelledOf],
  ] as const;
  const results = parts.flatMap(([number, say]) => (number > 0 ? [say(number)] : []));
  return [
    texts.created(time(createdAt)),
    completedAt === null ? texts.notCompleted : texts.completed(time(completedAt)),
    deliveries.length === 0 ? texts.nothingSent : `${texts.sentTo(deliveries.length)}: ${results.join(', ')}`,
  ].join(' → ');
}
