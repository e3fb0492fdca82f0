import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@canvass/infra';
import { messagesByQueue } from '../nemesis/servers';

/** Work that is not done at the end: numbers by what they count. */
export interface PendingWork {
  /** It will be done; all zero when everything is drained. */
  due: Record<string, number>;
  /** It was given up. */
  failed: Record<string, number>;
}

/** Numbers of the management API are up to five seconds old, so one empty look is not enough. */
const emptyLooks = 4;
const pauseMs = 2_000;
/** Waiting ends if the work has not decreased for this long. */
const standstillMs = 180_000;
const maxMs = 900_000;

/** Waits until outboxes, queues and due deliveries are empty several times in a row. Returns what is left. */
export async function waitUntilDrained(
  databaseUrl: string,
  managementUrl: string,
): Promise<{ pending: PendingWork; waitedMs: number }> {
  const started = Date.now();
  let empty = 0;
  let min = { count: Infinity, at: started };
  for (;;) {
    const pending = await readPendingWork(databaseUrl, managementUrl);
    const count = Object.values(pending.due).reduce((sum, each) => sum + each, 0);
    empty = count === 0 ? empty + 1 : 0;
    const now = Date.now();
    if (count < min.count) min = { count, at: now };
    if (empty >= emptyLooks || now - min.at > standstillMs || now - started > maxMs)
      return { pending, waitedMs: now - started };
    await sleep(pauseMs);
  }
}

async function readPendingWork(databaseUrl: string, managementUrl: string): Promise<PendingWork> {
  const sumOf = (table: string) =>
    ['submissions', 'datalists', 'webhooks']
      .map((schema) => `(select count(*) from ${schema}.${table})::int`)
      .join(' + ');
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Record<'outbox' | 'poisoned' | 'waiting', number>>(
      `select ${sumOf('outbox')} as outbox, ${sumOf('outbox_poison')} as poisoned,
              (select count(*) from webhooks.waiting)::int as waiting`,
    ),
  );
  const { outbox, poisoned, waiting } = rows[0]!;
  const due = { 'rows in the outboxes': outbox, 'pending deliveries': waiting };
  const failed = { 'rows in outbox_poison': poisoned };
  for (const [queue, messages] of await messagesByQueue(managementUrl))
    Object.assign(queue === 'service.dead' ? failed : due, { [`messages in ${queue}`]: messages });
  return { due, failed };
}
