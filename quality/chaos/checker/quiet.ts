import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { CheckerSetting } from './checker-setting';

/** What still moves when the wait is over; all zero is quiet. */
export interface Unrest {
  outboxRows: number;
  poisonedRows: number;
  pendingDeliveries: number;
  queuedMessages: number;
  /** Messages that a consumer gave up. */
  deadLetters: number;
  /** How long it took, or how long was waited in vain. */
  waitedMs: number;
  detail: string;
}

/** Numbers of the management API are up to five seconds old, so that one look is not enough. */
const looks = 4;
const pauseMs = 2_000;
/** As long as it gets less it is waited for, however slow the machine is: given up after so long without that. */
const standstillMs = 180_000;
const longestMs = 900_000;

/** Waits until nothing moves any more: outboxes, queues and due deliveries are empty, several times in a row. */
export async function awaitQuiet(setting: CheckerSetting): Promise<Unrest> {
  const started = Date.now();
  let calm = 0;
  let least = { count: Infinity, at: started };
  for (;;) {
    const unrest = await look(setting, started);
    const count = unrest.outboxRows + unrest.pendingDeliveries + unrest.queuedMessages;
    calm = count === 0 ? calm + 1 : 0;
    const now = Date.now();
    if (count < least.count) least = { count, at: now };
    if (calm >= looks || now - least.at > standstillMs || now - started > longestMs) return unrest;
    await sleep(pauseMs);
  }
}

async function look(setting: CheckerSetting, started: number): Promise<Unrest> {
  const client = new Client({ connectionString: setting.databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ outbox: number; poison: number; pending: number }>(
      `select (select count(*) from submissions.outbox)::int + (select count(*) from datalists.outbox)::int as outbox,
              (select count(*) from submissions.outbox_poison)::int + (select count(*) from datalists.outbox_poison)::int as poison,
              (select count(*) from webhooks.deliveries where next_attempt_at is not null)::int as pending`,
    );
    const { outbox, poison, pending } = rows[0]!;
    const queues = await messagesByQueue(setting.amqpManagementUrl);
    const sum = (names: string[]) => names.reduce((total, name) => total + (queues.get(name) ?? 0), 0);
    const given = ['service.dead', 'service.unrouted'];
    const working = [...queues.keys()].filter((name) => !given.includes(name));
    const detail = working
      .filter((name) => queues.get(name)! > 0)
      .map((name) => `${name} ${queues.get(name)}`);
    return {
      outboxRows: outbox,
      poisonedRows: poison,
      pendingDeliveries: pending,
      queuedMessages: sum(working),
      deadLetters: sum(['service.dead']),
      waitedMs: Date.now() - started,
      detail: detail.join(', '),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function messagesByQueue(managementUrl: string): Promise<Map<string, number>> {
  const base = new URL(managementUrl);
  const login = Buffer.from(`${base.username}:${base.password}`).toString('base64');
  const answer = await fetch(`${base.origin}/api/queues?columns=name,messages`, {
    headers: { authorization: `Basic ${login}` },
    signal: AbortSignal.timeout(10_000),
  });
  const queues = (await answer.json()) as { name: string; messages?: number }[];
  // A queue without numbers has just been restarted: not quiet.
  return new Map(queues.map(({ name, messages }) => [name, messages ?? 1]));
}
