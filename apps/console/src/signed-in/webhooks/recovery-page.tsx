import type { components } from '@canvass/client';
import { Notice } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, get } from '../api';
import { deliveriesPath } from '../deliveries-path';
import { useFormats } from '../formats';
import { JobPanel } from '../job-panel';
import lists from '../list.module.css';
import { Page } from '../page';
import { useWebhookTexts } from '../webhook-texts';
import { useDeskTexts } from './texts';

type Recovery = components['schemas']['WebhookRecovery'];

/** One recovery: what it has done so far, and how the deliveries ended. */
export default function RecoveryPage() {
  const texts = useTexts();
  const webhook = useWebhookTexts();
  const { recoveryId: id = '' } = useParams();
  const recovery = useQuery<Recovery>({
    queryKey: ['recovery', id],
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false),
    queryFn: ({ signal }) => get('/api/webhooks/recoveries/{id}', { path: { id } }, signal),
  });
  return (
    <Page title={webhook.recovery} lead={<Link href="/recoveries">{texts.recoveries}</Link>}>
      <Answer query={recovery} operation="getWebhookRecovery">
        {(data) => <Progress recovery={data} />}
      </Answer>
    </Page>
  );
}

function Progress({ recovery }: { recovery: Recovery }) {
  const texts = useTexts();
  const own = useDeskTexts();
  const webhook = useWebhookTexts();
  const { number, time } = useFormats();
  const { id, status, total, recovered, delivered, failedAgain, skipped, createdAt, finishedAt } = recovery;
  const until = finishedAt === null ? Date.now() : Date.parse(finishedAt);
  // What ended sooner is not counted up to a minute: one result is one, not sixty.
  const minutes = Math.max(1, (until - Date.parse(createdAt)) / 60_000);
  return (
    <JobPanel
      title={webhook.recovery}
      job={{ ...recovery, state: status, counts: { failedAgain } }}
      ended={delivered + failedAgain + skipped}
      total={total}
      queryKey={['recovery', id]}
      cancel={{
        label: own.cancelRecovery,
        operation: 'cancelWebhookRecovery',
        run: () => api.POST('/api/webhooks/recoveries/{id}/cancel', { params: { path: { id } } }),
      }}
      facts={[
        [own.mode, own.modes[recovery.mode] ?? recovery.mode],
        [own.total, number(total)],
        [own.sent, number(recovered)],
        [own.delivered, number(delivered)],
        [own.failedAgain, number(failedAgain)],
        [own.skipped, number(skipped)],
        [own.rate, number((delivered + failedAgain) / minutes)],
      ]}
    >
      {failedAgain > 0 && finishedAt !== null && (
        <Notice tone="warn">{own.failedOf(number(failedAgain), number(total))}</Notice>
      )}
      {recovery.filter !== null && (
        <p className={lists.action}>
          <Link href={deliveriesPath(recovery.filter as object)}>{own.showDeliveries}</Link>
        </p>
      )}
      {finishedAt === null && (
        <p className={lists.note}>
          {own.waits} {texts.asOf(time(Date.now()))}.
        </p>
      )}
    </JobPanel>
  );
}
