import type { ReactNode } from 'react';
import styles from './state.module.css';

/** The state of something. The sign and the words say the same as the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'none';

const signs: Record<Tone, string> = { good: '✓', warn: '!', bad: '✕', none: '–' };

/** The sign of a tone. It is decoration: the text beside it says the same. */
export function Mark({ tone }: { tone: Tone }) {
  return (
    <span className={`${styles.mark} ${styles[tone]}`} aria-hidden="true">
      {signs[tone]}
    </span>
  );
}

/** One word about a thing, with a sign. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <span aria-hidden="true">{signs[tone]}</span>
      {children}
    </span>
  );
}

/** A sentence that is announced when it appears. */
export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <span aria-hidden="true">{signs[tone]}</span>
      <span>{children}</span>
    </div>
  );
}

export interface StateProps {
  title: string;
  tone?: Tone;
  /** A sentence or two of what it means. */
  children?: ReactNode;
  /** The next steps. */
  actions?: ReactNode;
}

/** The notice that a panel shows instead of data: nothing there, not permitted, not found, not reachable. */
export function State({ title, tone = 'none', children, actions }: StateProps) {
  return (
    <div className={styles.state}>
      {/* Only the title is announced: a countdown below it would interrupt each second. */}
      <div role={tone === 'bad' || tone === 'warn' ? 'alert' : undefined}>
        <h2>
          <Mark tone={tone} />
          {title}
        </h2>
      </div>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

export interface SkeletonProps {
  /** Says that something is being loaded. */
  label: string;
  rows?: number;
  /** The content that is shown instead of bars: as high as what comes, so that nothing below it moves. */
  children?: ReactNode;
}

/** The place of what is being loaded. Its bars stay invisible for 200 ms. */
export function Skeleton({ label, rows = 6, children }: SkeletonProps) {
  if (children !== undefined)
    return (
      <div role="status" aria-label={label} data-skeleton="shaped">
        <div aria-hidden="true" inert>
          {children}
        </div>
      </div>
    );
  return (
    <div className={styles.skeleton} role="status" aria-label={label} data-skeleton="bars">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.bone} />
      ))}
    </div>
  );
}

/** A text for the support, which one click selects. */
export function Reference({ children }: { children: string }) {
  return <code className={styles.code}>{children}</code>;
}
