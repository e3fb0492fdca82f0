import { Button } from '@canvass/console-ui';
import type { QueryKey } from '@tanstack/react-query';
import { FaultNotice, useChange } from './action';
import { useJobTexts } from './job-texts';
import styles from './list.module.css';

interface JobProgressProps {
  /** Items that are done. */
  ended: number;
  total: number;
  /** The way to end the job before; null if it cannot be cancelled. */
  cancel: { label: string; run(): Promise<unknown> } | null;
  /** The key of what is shown of the job. */
  queryKey: QueryKey;
}

/** Shows how far a job is, and a button that cancels it. */
export function JobProgress({ ended, total, cancel, queryKey }: JobProgressProps) {
  const { percent: named } = useJobTexts();
  const action = useChange([queryKey], async () => cancel?.run());
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * ended) / total));
  return (
    <div className={styles.work}>
      <progress className={styles.progress} max={100} value={percent} aria-label={named(percent)} />
      {/* Announced at each tenth, not at each answer. */}
      <span role="status">{named(percent - (percent % 10))}</span>
      {cancel !== null && (
        <Button disabled={action.isBusy} onClick={() => void action.run()}>
          {cancel.label}
        </Button>
      )}
      <FaultNotice fault={action.fault} />
    </div>
  );
}
