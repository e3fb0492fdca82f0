import type { components } from '@canvass/client';
import { Panel } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { api, get } from '../api';
import { useFormats } from '../formats';
import { JobPanel } from '../job-panel';
import { useJobTexts } from '../job-texts';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Page } from '../page';
import { ExportFile } from './export-file';
import { FileDownload } from './file-download';

type Job = components['schemas']['AreaJob'];

/** Operations that need the same permission as the cancel of a job of a kind. */
const cancelledAs: Readonly<Record<string, string>> = {
  submission_bulk_change: 'changeSubmissions',
  submission_export: 'startSubmissionExport',
  submission_invitation: 'inviteRespondents',
  submitter_erasure: 'eraseSubmitter',
  webhook_recovery: 'cancelWebhookRecovery',
};

/** One job: how far it is, who started it, and what came of it. */
export default function JobPage() {
  const { jobs } = useTexts();
  const texts = useJobTexts();
  const me = useMe();
  const { jobId: id = '' } = useParams();
  const job = useQuery<Job>({
    queryKey: ['job', id],
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1_000 : false),
    queryFn: ({ signal }) => get('/api/jobs/{id}', { path: { id } }, signal),
  });
  const kind = job.data?.kind ?? '';
  return (
    <Page title={texts.kinds[kind] ?? texts.job} lead={<Link href="/jobs">{jobs}</Link>}>
      <Answer query={job} operation="getJob">
        {(data) => (
          <>
            <Progress job={data} />
            {kind === 'submission_invitation' && data.state === 'done' && may(me, 'downloadInvitations') && (
              <Panel title={texts.file}>
                <FileDownload
                  read={() =>
                    api.GET('/api/invitations/{id}/file', { params: { path: { id } }, parseAs: 'blob' })
                  }
                  name={`links-${id}.csv`}
                />
              </Panel>
            )}
            {kind === 'submission_export' && may(me, 'getSubmissionExport') && (
              <ExportFile id={id} state={data.state} />
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Progress({ job }: { job: Job }) {
  const texts = useJobTexts();
  const me = useMe();
  const { number } = useFormats();
  const { id, kind, state, done, total, counts } = job;
  return (
    <JobPanel
      title={texts.progress}
      job={job}
      // The total is an estimate of some exports.
      ended={state === 'done' ? total : done}
      total={total}
      queryKey={['job', id]}
      cancel={{
        label: texts.cancel,
        operation: cancelledAs[kind],
        run: () => api.POST('/api/jobs/{id}/cancel', { params: { path: { id } } }),
      }}
      facts={[
        [texts.progress, texts.doneOf(number(done), number(total))],
        ...Object.entries(counts).map(
          ([name, count]) => [texts.counts[name] ?? name, number(count)] as const,
        ),
      ]}
    >
      {kind === 'webhook_recovery' && may(me, 'getWebhookRecovery') && (
        <p className={lists.work}>
          <Link href={`/recoveries/${id}`}>{texts.toRecovery}</Link>
        </p>
      )}
    </JobPanel>
  );
}
