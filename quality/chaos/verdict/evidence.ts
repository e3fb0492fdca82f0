import type { PendingWork } from '../checker/drained';
import type { Stored } from '../checker/stored';
import type { Records } from '../records';

/** Everything that is compared. */
export interface Evidence extends Readonly<Records> {
  stored: Stored;
  pending: PendingWork;
  /** Time until everything was drained, or until the wait was given up. */
  waitedMs: number;
}

/** Kinds of findings by their names in the report. */
export const findingKinds = {
  /** Acknowledged, and not stored, not published, or not delivered to an endpoint of the settings. */
  lost: 'lost',
  /** Stored, published or delivered without a change that was made. */
  phantom: 'phantom',
  /** Revisions of an entity without an event. */
  gaps: 'gaps',
  /** Events of an entity that first arrived after a later one. */
  order: 'out of order',
  /** The same message with other bytes. */
  changedBytes: 'changed bytes',
  /** Work that was left at the end, and dead letters. */
  notDrained: 'not drained',
} as const;

/** Sentences, one per finding. */
export type Findings = Record<keyof typeof findingKinds, string[]>;

export const noFindings = (): Findings =>
  Object.fromEntries(Object.keys(findingKinds).map((kind) => [kind, []])) as unknown as Findings;

/** True if nothing was found. */
export const isClean = (findings: Findings): boolean =>
  Object.values(findings).every((list) => list.length === 0);
