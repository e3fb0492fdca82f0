import { setTimeout as sleep } from 'node:timers/promises';
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

/** Ends every session of a role. */
export async function terminateSessions(url: string, role: string): Promise<void> {
  const sql = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1';
  await withClient(url, (client) => client.query(sql, [role]), connectMs);
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

/** Ends all sessions of a role and refuses new ones (53300), as a server without free connections does. */
export async function refuseSessions(url: string, role: string, refuses: boolean): Promise<void> {
  await whenServed(url, `alter role ${role} connection limit ${refuses ? 0 : -1}`);
  if (refuses) await terminateSessions(url, role);
}

const held = {
  snapshot: ['begin isolation level repeatable read', 'select count(*) from submissions.outbox'],
  lock: [
    'begin',
    `select id from submissions.forms where deleted_at is null
      order by random() limit 1 for no key update skip locked`,
  ],
};

/**
 * An idle transaction with a snapshot that no vacuum may pass, or with the lock of a form that its changes
 * wait for.
 */
export async function holdTransaction(url: string, holds: 'snapshot' | 'lock', ms: number): Promise<void> {
  const hold = async (client: Client) => {
    for (const statement of held[holds]) await client.query(statement);
    await sleep(ms);
    await client.query('rollback');
  };
  await withClient(url, hold, connectMs);
}
