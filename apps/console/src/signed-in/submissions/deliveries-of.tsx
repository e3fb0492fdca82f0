import type { components } from '@canvass/client';
import { Panel, State, Table, type Column } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Answer } from '../answer';
import { get } from '../api';
import { useDeliveryColumns } from '../delivery-columns';
import { useFormats } from '../formats';
import { useWebhookTexts } from '../webhook-texts';
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
  const { second } = useFormats();
  const { id: entityId } = submission;
  const deliveries = useQuery({
    queryKey: ['deliveries', 'of', entityId],
    refetchInterval: 5_000,
    queryFn: ({ signal }) => get('/api/webhooks/deliveries', { query: { entityId, limit } }, signal),
  });
  const { event, endpoint, status, outcome, last } = useDeliveryColumns();
  const linked: Column<Delivery> = {
    ...event,
    cell: (delivery) => <Link href={`/deliveries/${delivery.id}`}>{event.cell(delivery)}</Link>,
  };
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
              <Table
                label={own.deliveriesOfIt}
                columns={[linked, endpoint, status, outcome, last]}
                rows={items}
                keyOf={({ id }) => id}
              />
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
