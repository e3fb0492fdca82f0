import type { WakeableSleep } from '@canvass/async';
import type { Broker } from '@canvass/messaging';
import { publishBatch, type BatchResult } from './batch';
import type { DispatcherOptions } from './dispatcher';
import type { OutboxRow } from './envelope';

/** One is being confirmed, one is sent, and one is claimed or deleted. */
const maxSending = 3;
/** A batch with many events of one entity starts no new wave after this time. */
const maxBatchMs = 10_000;
/**
 * Few published events wait up to this time for others, to be deleted together. A statement costs nearly as
 * much for one as for ten. In milliseconds.
 */
const deleteMs = 20;
/** More published events than this are deleted at once. */
const fewEvents = 32;

/** The batches that a leader has sent. Several wait for their confirms at the same time. */
export interface BatchesInFlight {
  hasRoom(): boolean;
  send(rows: readonly OutboxRow[]): void;
  /** Returns whether finished batches are to be settled now. Failures and many events do not wait. */
  mustSettle(): boolean;
  /** The time of `performance.now()` at which they are to be settled at the latest. */
  settleAt(): number;
  /** Takes the results of the finished batches. */
  takeFinished(): BatchResult[];
  /** Starts no further wave, and waits for what is sent. */
  end(): Promise<void>;
}

interface BatchesOptions {
  broker: Pick<Broker, 'publish' | 'state'>;
  stopping: AbortSignal;
  onPublished: DispatcherOptions['onPublished'];
  /** Woken when a batch is finished. */
  sleeper: Pick<WakeableSleep, 'wake'>;
}

export function createBatchesInFlight({
  broker,
  stopping,
  onPublished,
  sleeper,
}: BatchesOptions): BatchesInFlight {
  const sending = new Set<Promise<void>>();
  const finished: BatchResult[] = [];
  let finishedAt = Infinity;
  let isEnding = false;
  return {
    hasRoom: () => sending.size < maxSending,
    send(rows) {
      const started = performance.now();
      const mayContinue = () =>
        !stopping.aborted &&
        !isEnding &&
        broker.state() === 'connected' &&
        performance.now() - started < maxBatchMs;
      const publishing = publishBatch({ broker, rows, onPublished, mayContinue }).then((result) => {
        sending.delete(publishing);
        finished.push(result);
        finishedAt = Math.min(finishedAt, performance.now());
        sleeper.wake();
      });
      sending.add(publishing);
    },
    mustSettle: () =>
      performance.now() - finishedAt >= deleteMs ||
      finished.reduce((sum, { rows }) => sum + rows.length, 0) > fewEvents ||
      finished.some(({ confirmed, rows }) => confirmed.length < rows.length),
    settleAt: () => finishedAt + deleteMs,
    takeFinished() {
      finishedAt = Infinity;
      return finished.splice(0);
    },
    async end() {
      isEnding = true;
      await Promise.all(sending);
    },
  };
}
