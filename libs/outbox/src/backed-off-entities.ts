import { backOff } from '@canvass/messaging';
import type { Failure } from './batch';

/**
 * Entities whose event the broker rejected (unroutable, or a full queue). Each is retried after its own
 * backoff, so the rest of the lane is not delayed.
 */
export interface BackedOffEntities {
  /** Entities to skip now. */
  ids(): string[];
  /**
   * Records the result of a batch that skipped `excluded`: `failed` entities back off (longer), the others
   * are released.
   */
  settle(excluded: readonly string[], failed: readonly Pick<Failure, 'entityId' | 'progressed'>[]): void;
  /** Milliseconds until the next retry; Infinity if no entity is in backoff. */
  nextInMs(): number;
  /** Whether there are too many to skip them one by one. */
  isFull(): boolean;
}

const most = 1_000;

export function createBackedOffEntities(): BackedOffEntities {
  const backedOff = new Map<string, { until: number; failures: number }>();
  return {
    ids() {
      const now = performance.now();
      return [...backedOff].filter(([, { until }]) => until > now).map(([entityId]) => entityId);
    },
    settle(excluded, failed) {
      if (backedOff.size === 0 && failed.length === 0) return;
      const keep = new Set([...excluded, ...failed.map(({ entityId }) => entityId)]);
      for (const { entityId, progressed } of failed) {
        const failures = progressed ? 0 : (backedOff.get(entityId)?.failures ?? 0);
        backedOff.set(entityId, { until: performance.now() + backOff(failures), failures: failures + 1 });
      }
      for (const entityId of [...backedOff.keys()]) if (!keep.has(entityId)) backedOff.delete(entityId);
    },
    nextInMs() {
      const now = performance.now();
      return Math.max(0, Math.min(...[...backedOff.values()].map(({ until }) => until - now)));
    },
    isFull: () => backedOff.size >= most,
  };
}
