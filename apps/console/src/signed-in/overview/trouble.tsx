import type { components } from '@canvass/client';
import { Badge, ForeignText, Panel, State, Table, type Column } from '@canvass/console-ui';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { Answer } from '../answer';
import { useFormats } from '../formats';
import { useJobTexts } from '../job-texts';
import { Moment } from '../moment';
import { deliveriesPath } from '../deliveries-path';
import styles from './overview.module.css';
import { useRunningJobs, type useDeliveryNumbers } from './queries';
import { useOverviewTexts } from './texts';

type Trouble = components['schemas']['WebhookOverview']['troubled'][number];
type Job = components['schemas']['Job'];

/** The endpoints with the most failed attempts in the range. */
export function TroublePanel({ numbers }: { numbers: ReturnType<typeof useDeliveryNumbers> }) {
  const { state } = useTexts();
  const texts = useOverviewTexts();
  const { number, moment } = useFormats();
  const columns = (from: string, to: string): Column<Trouble>[] => [
    {
      key: 'endpoint',
      title: texts.endpoint,
      cell: ({ endpointId, url }) => (
        <Link href={deliveriesPath({ endpointId, status: ['failed', 'dead'], from, to })}>
          <ForeignText isCut>{url}</ForeignText>
        </Link>
      ),
    },
    {
      key: 'state',
      title: state,
      cell: ({ state: own, failingSince, pausedUntil }) => (
        <span className={styles.badges}>
          {own === 'enabled' && failingSince !== null ? (
            <Badge tone="bad">{texts.failing}</Badge>
          ) : (
            <Badge tone={own === 'enabled' ? 'good' : 'none'}>{texts.endpointStates[own] ?? own}</Badge>
          )}
          {pausedUntil !== null && Date.parse(pausedUntil) > Date.now() && (
            <Badge tone="warn">{texts.pausedUntil(moment(pausedUntil))}</Badge>
          )}
        </span>
      ),
    },
    { key: 'since', title: texts.failingSince, cell: ({ failingSince }) => <Moment at={failingSince} /> },
    {
      key: 'failed',
      title: texts.failed,
      isNumber: true,
      cell: ({ failed, attempts }) => texts.ofAttempts(number(failed), number(attempts)),
    },
  ];
  return (
    <Panel title={texts.troubled}>
      <Answer query={numbers} operation="getWebhookOverview">
        {({ troubled, from, to }) =>
          troubled.length === 0 ? (
            <State tone="good" title={texts.noTrouble}>
              {texts.noTroubleHint}
            </State>
          ) : (
            <Table
              label={texts.troubled}
              columns={columns(from, to)}
              rows={troubled}
              keyOf={({ endpointId }) => endpointId}
            />
          )
        }
      </Answer>
    </Panel>
  );
}

/** Long work that runs now, and how far it is. */
export function JobsPanel() {
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const { kinds } = useJobTexts();
  const jobs = useRunningJobs();
  const columns: Column<Job>[] = [
    { key: 'kind', title: texts.job, cell: ({ kind }) => kinds[kind] ?? kind },
    {
      key: 'progress',
      title: texts.progress,
      cell: ({ kind, done, total }) => (
        <span className={styles.progress}>
          <progress value={done} max={Math.max(1, total)} aria-label={kinds[kind] ?? kind} />
          {texts.doneOf(number(done), number(total))}
        </span>
      ),
    },
    {
      key: 'reason',
      title: texts.reason,
      cell: ({ reason }) => (reason === null ? '–' : <ForeignText isCut>{reason}</ForeignText>),
    },
    { key: 'started', title: texts.startedAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return (
    <Panel title={texts.jobs}>
      <Answer query={jobs} operation="listWebhookJobs">
        {(items) =>
          items.length === 0 ? (
            <State title={texts.noJobs}>{texts.noJobsHint}</State>
          ) : (
            <Table label={texts.jobs} columns={columns} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Answer>
    </Panel>
  );
}
