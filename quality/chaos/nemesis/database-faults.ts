import { eventually } from '@canvass/testing';
import type { Client } from 'pg';
import { withClient } from '../../session';
import type { LeasedDelivery } from '../records';

/** For servers that may not answer. */
const connectMs = 5_000;

/** True if queries are answered. */
export async function answersQueries(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('select 1'), connectMs);
  return true;
}

/**
 * Returns the deliveries that any relay had leased at this moment. Later claims have a longer lease. Retries
 * for some seconds, which leases outlast.
 */
export function leasedAt(url: string, at: number, leaseSeconds: number): Promise<LeasedDelivery[]> {
  const read = async (client: Client) => {
    const { rows } = await client.query<LeasedDelivery>(
      `select id::text as "deliveryId", until - $2::float8 * 1000 as "leasedAt", until as "leaseUntil"
         from (select id, extract(epoch from lease_until)::float8 * 1000 as until from webhooks.waiting) leased
        where until <= $1::float8 + $2::float8 * 1000`,
      [at, leaseSeconds],
    );
    return rows;
  };
  return eventually(() => withClient(url, read, connectMs), { timeoutMs: 4_000 });
}

/** Runs a statement as soon as the server answers. */
async function whenServed(url: string, sql: string): Promise<void> {
  await eventually(() => withClient(url, (client) => client.query(sql), connectMs), { timeoutMs: 120_000 });
}

/** All transactions of the services are read-only, as on a former primary after a failover. */
export async function makeReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const set = isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only';
  await whenServed(url, `alter system ${set}`);
  await whenServed(url, 'select pg_reload_conf()');
}
