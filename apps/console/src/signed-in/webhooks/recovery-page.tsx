import type { components } from '@canvass/client';
import { ForeignText, Notice, Panel } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { idFact } from '../copy-button';
import { Answer } from '../answer';
import { api, get } from '../api';
import { Author } from '../author';
import { Facts } from '../facts';
import { useFormats } from '../formats';
import { JobProgress } from '../job-progress';
import { JobState } from '../job-state';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { Page } from '../page';
import { useWebhookTexts } from '../webhook-texts';
import { searchOf } from './filter';
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
        {(data) => (
          <Panel title={webhook.recovery} tools={<JobState state={data.status} />}>
            <Progress recovery={data} />
            <Numbers recovery={data} />
          </Panel>
        )}
      </Answer>
    </Page>
  );
}

function Progress({ recovery }: { recovery: Recovery }) {
  const own = useDeskTexts();
  const me = useMe();
  const { id, status, total, delivered, failedAgain, skipped } = recovery;
  const cancel = () => api.POST('/api/webhooks/recoveries/{id}/cancel', { params: { path: { id } } });
  const mayCancel = status === 'running' && may(me, 'cancelWebhookRecovery');
  return (
    <JobProgress
      ended={delivered + failedAgain + skipped}
      total={total}
      queryKey={['recovery', id]}
      cancel={mayCancel ? { label: own.cancelRecovery, run: cancel } : null}
    />
  );
}

function Numbers({ recovery }: { recovery: Recovery }) {
  const texts = useTexts();
  const own = useDeskTexts();
  const { number, time } = useFormats();
  const { total, recovered, delivered, failedAgain, skipped, createdAt, finishedAt } = recovery;
  const until = finishedAt === null ? Date.now() : Date.parse(finishedAt);
  const seconds = Math.max(1, (until - Date.parse(createdAt)) / 1000);
  const modes = { failed: own.modeFailed, all: own.modeAll, missing: own.modeMissing };
  return (
    <>
      <Facts
        facts={[
          [own.mode, modes[recovery.mode] ?? recovery.mode],
          [own.total, number(total)],
          [own.sent, number(recovered)],
          [own.delivered, number(delivered)],
          [own.failedAgain, number(failedAgain)],
          [own.skipped, number(skipped)],
          [own.rate, number((delivered + failedAgain) / seconds, 1)],
          [own.started, <Moment at={createdAt} />],
          [own.finished, <Moment at={finishedAt} />],
          [own.startedBy, <Author of={recovery.startedBy} />],
          [own.reason, recovery.reason === null ? '–' : <ForeignText>{recovery.reason}</ForeignText>],
          idFact(recovery.id),
        ]}
      />
      {failedAgain > 0 && finishedAt !== null && (
        <Notice tone="bad">{own.failedOf(number(failedAgain), number(total))}</Notice>
      )}
      {recovery.error !== null && (
        <Notice tone="bad">
          <ForeignText>{recovery.error}</ForeignText>
        </Notice>
      )}
      {recovery.filter !== null && (
        <p className={lists.action}>
          <Link href={`/deliveries?${searchOf(recovery.filter as object)}`}>{own.showDeliveries}</Link>
        </p>
      )}
      {finishedAt === null && (
        <p className={lists.note}>
          {own.waits} {texts.asOf(time(Date.now()))}.
        </p>
      )}
    </>
  );
}
