import { setTimeout as sleep } from 'node:timers/promises';
import { messagesByQueue } from '../nemesis/broker-faults';
import { withClient } from '../nemesis/database-faults';

/** Work that is not done yet. All zero: everything is drained. */
export interface PendingWork {
  outboxRows: number;
  poisonedRows: number;
  pendingDeliveries: number;
  queuedMessages: number;
  /** Messages that a consumer dead-lettered. */
  deadLetters: number;
  /** Queues that are not empty. */
  queues: string;
}

/** Numbers of the management API are up to five seconds old, so one empty look is not enough. */
const emptyLooks = 4;
const pauseMs = 2_000;
/** Waiting ends if the work has not decreased for this long. */
const standstillMs = 180_000;
const longestMs = 900_000;

/** Waits until outboxes, queues and due deliveries are empty several times in a row. Returns what is left. */
export async function waitUntilDrained(
  databaseUrl: string,
  managementUrl: string,
): Promise<{ pending: PendingWork; waitedMs: number }> {
  const started = Date.now();
  let empty = 0;
  let least = { count: Infinity, at: started };
  for (;;) {
    const pending = await readPendingWork(databaseUrl, managementUrl);
    const count = pending.outboxRows + pending.pendingDeliveries + pending.queuedMessages;
    empty = count === 0 ? empty + 1 : 0;
    const now = Date.now();
    if (count < least.count) least = { count, at: now };
    if (empty >= emptyLooks || now - least.at > standstillMs || now - started > longestMs) {
      return { pending, waitedMs: now - started };
    }
    await sleep(pauseMs);
  }
}

type Rows = Pick<PendingWork, 'outboxRows' | 'poisonedRows' | 'pendingDeliveries'>;

async function readPendingWork(databaseUrl: string, managementUrl: string): Promise<PendingWork> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Rows>(
      `select (select count(*) from submissions.outbox)::int
              + (select count(*) from datalists.outbox)::int as "outboxRows",
              (select count(*) from submissions.outbox_poison)::int
              + (select count(*) from datalists.outbox_poison)::int as "poisonedRows",
              (select count(*) from webhooks.deliveries where next_attempt_at is not null)::int
              as "pendingDeliveries"`,
    ),
  );
  const queues = await messagesByQueue(managementUrl);
  const deadLetters = queues.get('service.dead') ?? 0;
  for (const name of ['service.dead', 'service.unrouted']) queues.delete(name);
  const filled = [...queues].filter(([, messages]) => messages > 0);
  return {
    ...rows[0]!,
    queuedMessages: filled.reduce((sum, [, messages]) => sum + messages, 0),
    deadLetters,
    queues: filled.map(([name, messages]) => `${name} ${messages}`).join(', '),
  };
}
