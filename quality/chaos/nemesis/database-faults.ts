import { eventually } from '@canvass/testing';
import { withClient } from '../../session';

/** For servers that may not answer. */
const connectMs = 5_000;

/** True if queries are answered. */
export async function answersQueries(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('select 1'), connectMs);
  return true;
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
