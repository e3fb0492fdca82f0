import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@canvass/testing';
import { Client } from 'pg';
import type { LeasedDelivery } from '../records';

/** Runs `use` with a superuser connection, which it closes afterwards. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the server may be restarted; the next query reports it
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** True if queries are answered. */
export async function answersQueries(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('select 1'));
  return true;
}

/**
 * Returns the deliveries that any relay had leased at this moment. Later claims have a longer lease. Retries for some
 * seconds, which leases outlast.
 */
export function leasedAt(url: string, at: number, leaseSeconds: number): Promise<LeasedDelivery[]> {
  const read = async (client: Client) => {
    const { rows } = await client.query<LeasedDelivery>(
      `select delivery_id::text as "deliveryId", until - $2::float8 * 1000 as "leasedAt", until as "leaseUntil"
         from (select delivery_id, extract(epoch from lease_until)::float8 * 1000 as until from webhooks.leases) leases
        where until <= $1::float8 + $2::float8 * 1000`,
      [at, leaseSeconds],
    );
    return rows;
  };
  return eventually(() => withClient(url, read), { timeoutMs: 4_000 });
}

/** Ends every session of a role. */
export async function terminateSessions(url: string, role: string): Promise<void> {
  const sql = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1';
  await withClient(url, (client) => client.query(sql, [role]));
}

const held = {
  snapshot: ['begin isolation level repeatable read', 'select count(*) from submissions.outbox'],
  lock: [
    'begin',
    `select id from submissions.forms where deleted_at is null
      order by random() limit 1 for no key update skip locked`,
  ],
};

/** An idle transaction with a snapshot that no vacuum may pass, or with the lock of a form that its changes wait for. */
export async function holdTransaction(url: string, holds: 'snapshot' | 'lock', ms: number): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of held[holds]) await client.query(statement);
    await sleep(ms);
    await client.query('rollback');
  });
}
