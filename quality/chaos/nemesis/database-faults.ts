import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { LeasedDelivery } from '../records';

async function withClient<T>(url: string, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the server may be restarted meanwhile
  try {
    await client.connect();
    return await fn(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** True when queries are answered. */
export async function postgresAnswers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
}

const leasesTries = 30;

/**
 * Deliveries that were leased at that moment, by any sender; those that were claimed later have a longer lease. A
 * server that does not answer is asked again for some seconds: leases outlast that.
 */
export async function leasedAt(url: string, at: number, leaseSeconds: number): Promise<LeasedDelivery[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await withClient(url, async (client) => {
        const { rows } = await client.query<{ id: string; until: number }>(
          `select id::text, extract(epoch from lease_until)::float8 * 1000 as until
             from webhooks.waiting where lease_until <= to_timestamp($1::float8 / 1000) + make_interval(secs => $2)`,
          [at, leaseSeconds],
        );
        return rows.map(({ id, until }) => ({
          deliveryId: id,
          leasedAt: until - leaseSeconds * 1000,
          leaseUntil: until,
        }));
      });
    } catch (error) {
      if (tries === leasesTries) throw error;
      await sleep(100);
    }
  }
}

/** Ends every session of a role, whatever it is doing. */
export async function terminateBackends(url: string, role: string): Promise<void> {
  await withClient(url, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]),
  );
}

/**
 * A session that has begun and does nothing: with a snapshot that no vacuum may pass, or with the lock of a form, behind
 * which changes of that form wait.
 */
export async function holdTransaction(url: string, holds: 'snapshot' | 'lock', ms: number): Promise<void> {
  await withClient(url, async (client) => {
    if (holds === 'snapshot') {
      await client.query('begin isolation level repeatable read');
      await client.query('select count(*) from submissions.outbox');
    } else {
      await client.query('begin');
      await client.query(
        `select id from submissions.forms where deleted_at is null order by random() limit 1 for no key update skip locked`,
      );
    }
    await sleep(ms);
    await client.query('rollback');
  });
}
