import { backOff } from '@canvass/messaging';
import type { Lane } from './lanes';

/**
 * Entities whose event the broker rejected (unroutable, or a full queue). Each is retried after its own
 * backoff, so the rest of the lane is not delayed.
 */
export interface BackedOffEntities {
  /** Entities to skip now. */
  ids(): string[];
  /**
   * Records that the broker rejected an event of the entity.
   *
   * @param progressed whether it accepted an earlier one before
   */
  rejected(entityId: string, lane: Lane, progressed: boolean): void;
  /** Records that all events of the entity were published. */
  published(entityId: string): void;
  /** The lanes of entities whose backoff has ended since the last call. */
  takeDueLanes(): Lane[];
  /** Milliseconds until the next retry; Infinity if no entity is in backoff. */
  nextInMs(): number;
  /** Returns whether there are too many to skip them one by one. */
  isFull(): boolean;
}

interface Backoff {
  lane: Lane;
  until: number;
  failures: number;
  isDue: boolean;
}

const maxEntities = 1_000;
/** A time longer than any backoff. After this time the events were removed by other means. */
const forgottenMs = 60_000;

export function createBackedOffEntities(): BackedOffEntities {
  const entities = new Map<string, Backoff>();
  const waiting = () => [...entities].filter(([, { isDue }]) => !isDue);
  return {
    ids: () => waiting().map(([entityId]) => entityId),
    rejected(entityId, lane, progressed) {
      const failures = progressed ? 0 : (entities.get(entityId)?.failures ?? 0);
      const until = performance.now() + backOff(failures);
      entities.set(entityId, { lane, until, failures: failures + 1, isDue: false });
    },
    published: (entityId) => void entities.delete(entityId),
    takeDueLanes() {
      const now = performance.now();
      for (const [entityId, { until }] of entities) if (until + forgottenMs < now) entities.delete(entityId);
      const due = waiting().filter(([, { until }]) => until <= now);
      return due.map(([, backoff]) => {
        backoff.isDue = true;
        return backoff.lane;
      });
    },
    nextInMs() {
      const now = performance.now();
      return Math.max(0, Math.min(...waiting().map(([, { until }]) => until - now)));
    },
    isFull: () => entities.size >= maxEntities,
  };
}
