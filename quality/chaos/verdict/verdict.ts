import type { Unrest } from '../checker/quiet';
import type { Stored } from '../checker/stored';
import type { Change, FaultRecord, ReceivedHook, Resend, SeenEvent } from '../records';

/** All that is compared. */
export interface Evidence {
  changes: readonly Change[];
  hooks: readonly ReceivedHook[];
  events: readonly SeenEvent[];
  stored: Stored;
  faults: readonly FaultRecord[];
  quiet: Unrest;
  /** When the last change had been made and all faults were healed. */
  ceasedAt: number;
  resends: readonly Resend[];
  longestResendMs: number | null;
}

/** Sentences, one per finding. */
export interface Findings {
  /** Acknowledged but not stored, not published, or not delivered to an endpoint that should get it. */
  lost: string[];
  /** Stored, published or delivered without a change that was made. */
  phantom: string[];
  /** Revisions of an entity that no event told of. */
  gaps: string[];
  /** The same message with other bytes. */
  changedBytes: string[];
  /** Copies of knowledge that differ from their source. */
  copies: string[];
  /** A killed sender's deliveries that were sent again later than promised, or not at all. */
  late: string[];
  /** What still moved when the wait was over, and dead letters. */
  unrest: string[];
}

export interface Recovery {
  description: string;
  kind: string;
  startedAt: number;
  /** Until the component was there again. */
  downMs: number;
  /** From then to the first delivery of a change made since the fault began; null: none came. */
  recoveryMs: number | null;
  /** Another fault was there at the same time, so that the time is not this fault's alone. */
  disturbed: boolean;
}

export interface Duplicates {
  events: number;
  /** Of the events, those that the broker delivered again because the checker's own connection was lost. */
  redelivered: number;
  hooks: number;
  /** Hooks delivered again, by the fault that was nearest to the first delivery. */
  byCause: Record<string, number>;
}

/** Deliveries that were in flight in a sender that was killed. */
export interface Interruptions {
  kills: number;
  deliveries: number;
  /** From the kill to the next attempt; null without any. */
  longestMs: number | null;
}

interface Counts {
  acknowledged: number;
  refused: number;
  unknown: number;
  /** Of the unknown ones, those that turned out to be stored (submissions and forms). */
  unknownStored: number;
  byOperation: Record<string, number>;
  storedEntities: number;
  events: number;
  expectedDeliveries: number;
  acceptedDeliveries: number;
  refusedDeliveries: number;
  /** Not delivered because their endpoint was taken out of the settings meanwhile. */
  cancelledDeliveries: number;
  /** Creates with an `Idempotency-Key` that were repeated, because there was no answer. */
  repeatedCreates: number;
  /** Of them, those whose first request had been carried out: the answer was replayed. */
  replayedCreates: number;
  /** Deliveries sent again because somebody asked for it. */
  resends: number;
  firstAt: number;
  lastAt: number;
}

export interface Verdict {
  findings: Findings;
  recoveries: Recovery[];
  duplicates: Duplicates;
  interruptions: Interruptions;
  counts: Counts;
  quietAfterMs: number;
}

export const noFindings = (): Findings => ({
  lost: [],
  phantom: [],
  gaps: [],
  changedBytes: [],
  copies: [],
  late: [],
  unrest: [],
});

/** True when nothing at all was found. */
export const isClean = ({ findings }: Verdict): boolean =>
  Object.values(findings).every((list) => list.length === 0);

export const keyOf = (entity: string, id: string): string => `${entity} ${id}`;
