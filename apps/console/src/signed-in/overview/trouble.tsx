import type { components } from '@canvass/client';
import { ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { useFormats } from '../formats';
import { useJobTexts } from '../job-texts';
import { deliveriesPath } from '../deliveries-path';
import { EndpointState, pauseOf } from '../endpoint-state';
import lists from '../list.module.css';
import styles from './overview.module.css';
import type { Range } from '../range';
import { useDeliveryNumbers, useRunningJobs } from './queries';
import { useOverviewTexts } from './texts';

type Trouble = components['schemas']['WebhookOverview']['troubled'][number];
type Job = components['schemas']['Job'];

/** The endpoints with the most failed attempts in the range. Nothing is shown if there are none. */
export function TroublePanel({ range }: { range: Range }) {
  const { data } = useDeliveryNumbers(range);
  const { state } = useTexts();
  const texts = useOverviewTexts();
  const { number, dayClock } = useFormats();
  if (data === undefined || data.troubled.length === 0) return null;
  const { troubled, from, to } = data;
  const columns: Column<Trouble>[] = [
    column('endpoint', texts.endpoint, ({ endpointId, url }) => (
      <Link href={deliveriesPath({ endpointId, status: ['failed', 'dead'], from, to })}>
        <ForeignText isCut>{url}</ForeignText>
      </Link>
    )),
    column('state', state, (endpoint) => {
      const pause = pauseOf(endpoint);
      return (
        <span className={lists.row}>
          <EndpointState endpoint={endpoint} />
          {pause !== null && <span className={lists.soft}>{texts.until(dayClock(pause))}</span>}
        </span>
      );
    }),
    timeColumn('since', texts.failingSince, ({ failingSince }) => failingSince),
    numberColumn('failed', texts.failed, ({ failed, attempts }) =>
      texts.ofAttempts(number(failed), number(attempts)),
    ),
  ];
  return (
    <Panel title={texts.troubled}>
      <Table
        label={texts.troubled}
        columns={columns}
        rows={troubled}
        keyOf={({ endpointId }) => endpointId}
      />
    </Panel>
  );
}

/** Shows the jobs that run, and how far they are; nothing without one. */
export function JobsPanel() {
  const texts = useOverviewTexts();
  const { number } = useFormats();
  const { kinds } = useJobTexts();
  const { data: jobs = [] } = useRunningJobs();
  if (jobs.length === 0) return null;
  const columns: Column<Job>[] = [
    column('kind', texts.job, ({ kind }) => kinds[kind] ?? kind),
    column('progress', texts.progress, ({ kind, done, total }) => (
      <span className={styles.progress}>
        <progress value={done} max={Math.max(1, total)} aria-label={kinds[kind] ?? kind} />
        {texts.doneOf(number(done), number(total))}
      </span>
    )),
    foreignColumn('reason', texts.reason, ({ reason }) => reason),
    timeColumn('started', texts.startedAt, ({ createdAt }) => createdAt),
  ];
  return (
    <Panel title={texts.jobs}>
      <Table label={texts.jobs} columns={columns} rows={jobs} keyOf={({ id }) => id} />
    </Panel>
  );
}
