import type { Broker, Log } from '@canvass/messaging';
import type { Database } from '@canvass/postgres';
import type { OutboxRow } from './envelope';

/** The metrics registry that this library needs; that of service-kit fits. */
export interface OutboxMetrics {
  counter(options: { name: string; help: string; labels?: readonly 'reason'[] }): {
    inc(labels: { reason: string }, value?: number): void;
    inc(value?: number): void;
  };
  gauge(options: { name: string; help: string; collect: () => number | Promise<number> }): unknown;
}

export interface DispatcherOptions {
  /** The database of the outbox. The dispatcher opens one session in addition to the pool. */
  db: Database;
  broker: Broker;
  logger: Log;
  metrics?: OutboxMetrics;
  /** Maximum number of events per batch; default 1,000. Up to three batches overlap. */
  batchSize?: number;
  /**
   * Maximum size of a batch in bytes of data; default 8 MiB. A larger event is a batch of its own. In flight
   * are at most four times as much, or three times as much and a larger event.
   */
  batchBytes?: number;
  /** The hours for which published events are kept; default 0: not at all. */
  keepHours?: number;
  /** Called with confirmed events, in batches, before their rows are deleted. Must not throw. */
  onPublished?: ((rows: readonly OutboxRow[]) => void) | undefined;
}

export interface Dispatcher {
  start(): void;
  /**
   * Scans the outbox, or only the lane of the given entity, in the process that leads it. Call it after a
   * commit that appended.
   *
   * @param when `soon` for events that no webhook and no service waits for: within 100 ms, many with one scan
   */
  wake(entityId?: string, when?: WakeTime): void;
  /** Finishes the running batches and releases its lanes. */
  stop(): Promise<void>;
  stats(): Promise<OutboxStats>;
}

/** At once, or within 100 ms. */
export type WakeTime = 'now' | 'soon';

export type Wake = Dispatcher['wake'];

export interface OutboxStats {
  /** Committed but unpublished events, counted up to 100,000. */
  pending: number;
  oldestAgeSeconds: number;
  /** Events in `outbox_poison`, counted up to 10,000. */
  poisoned: number;
}
