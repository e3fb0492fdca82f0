import { backOff } from '@canvass/messaging';
import type { Failure } from './batch';

/**
 * Entities whose event the broker refused by itself (unroutable, or its queue is full): each is tried again after a time
 * of its own, so that the others in the lane go on.
 */
export interface HeldEntities {
  /** Those to leave out now. */
  ids(): string[];
  /** After a batch that left out `ids`: `failed` are held (longer), the others that were held before are free. */
  settle(leftOut: readonly string[], failed: readonly Pick<Failure, 'entityId' | 'progressed'>[]): void;
  /** Milliseconds until the first may be tried again; Infinity without one. */
  nextInMs(): number;
  /** So many that leaving them out one by one is no longer of use. */
  isFull(): boolean;
}

const most = 1_000;

export function createHeldEntities(): HeldEntities {
  const held = new Map<string, { until: number; failures: number }>();
  return {
    ids() {
      const now = performance.now();
      return [...held].filter(([, { until }]) => until > now).map(([entityId]) => entityId);
    },
    settle(leftOut, failed) {
      if (held.size === 0 && failed.length === 0) return;
      const keep = new Set([...leftOut, ...failed.map(({ entityId }) => entityId)]);
      for (const { entityId, progressed } of failed) {
        const failures = progressed ? 0 : (held.get(entityId)?.failures ?? 0);
        held.set(entityId, { until: performance.now() + backOff(failures), failures: failures + 1 });
      }
      for (const entityId of [...held.keys()]) if (!keep.has(entityId)) held.delete(entityId);
    },
    nextInMs() {
      const now = performance.now();
      return Math.max(0, Math.min(...[...held.values()].map(({ until }) => until - now)));
    },
    isFull: () => held.size >= most,
  };
}
