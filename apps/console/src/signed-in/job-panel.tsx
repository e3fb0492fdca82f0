import type { components } from '@canvass/client';
import { Button, ForeignText, Notice, Panel } from '@canvass/console-ui';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNotice, useChange } from './action';
import { Author } from './author';
import { idFact } from './copy-button';
import { Facts, type Fact } from './facts';
import { JobState } from './job-state';
import { useJobTexts } from './job-texts';
import styles from './list.module.css';
import { may, useMe } from './me';
import { Moment } from './moment';

type Job = components['schemas']['AreaJob'];

interface JobPanelProps {
  title: string;
  job: Pick<Job, 'id' | 'state' | 'counts' | 'createdAt' | 'finishedAt' | 'startedBy' | 'reason' | 'error'>;
  /** Items that are done, of those in all. */
  ended: number;
  total: number;
  /** The way to end the job before, and the operation whose permission it needs. */
  cancel: { label: string; operation: string | undefined; run(): Promise<unknown> };
  /** The key of what is shown of the job. */
  queryKey: QueryKey;
  /** Facts beside those of every job. */
  facts: readonly Fact[];
  children: ReactNode;
}

/** Shows how far a job is, who started it, and a button that cancels it. */
export function JobPanel({ title, job, ended, total, cancel, queryKey, facts, children }: JobPanelProps) {
  const texts = useJobTexts();
  const me = useMe();
  const { operation } = cancel;
  const action = useChange([queryKey], cancel.run);
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * ended) / total));
  return (
    <Panel title={title} tools={<JobState {...job} />}>
      <div className={styles.work}>
        <progress className={styles.progress} max={100} value={percent} aria-label={texts.percent(percent)} />
        {/* Announced at each tenth, not at each answer. */}
        <span role="status">{texts.percent(percent - (percent % 10))}</span>
        {job.state === 'running' && operation !== undefined && may(me, operation) && (
          <Button disabled={action.isBusy} onClick={() => void action.run()}>
            {cancel.label}
          </Button>
        )}
        <FaultNotice fault={action.fault} />
      </div>
      <Facts
        facts={[
          ...facts,
          [texts.started, <Moment at={job.createdAt} />],
          [texts.finished, <Moment at={job.finishedAt} />],
          [texts.startedBy, <Author of={job.startedBy} />],
          [texts.reason, job.reason === null ? '–' : <ForeignText>{job.reason}</ForeignText>],
          idFact(job.id),
        ]}
      />
      {job.error !== null && (
        <Notice tone="bad">
          <ForeignText>{job.error}</ForeignText>
        </Notice>
      )}
      {children}
    </Panel>
  );
}
