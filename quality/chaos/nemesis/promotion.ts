import { appendFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseBackup, privateServers, serverHome, writeAs } from '@canvass/infra';
import { loadSecrets, serviceNames } from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { withClient } from '../../session';
import { until, type Fault } from './faults';
import type { Targets } from './targets';

const standbyName = 'standby';
const copyMs = 120_000;

/**
 * The primary is lost, and its synchronous standby is promoted and takes its place. After some time the data of
 * the new primary move to the place of the former one, which is an outage of its own. The fault begins with the
 * loss: the copy of the primary before it disturbs nothing.
 */
export const promotion = (signal: 'SIGKILL' | 'SIGQUIT', ms: number): Fault => ({
  kind: 'promotion',
  description: `Postgres lost (${signal}), its standby promoted for ${ms} ms`,
  resource: 'postgres',
  lastsMs: ms + copyMs,
  async inflict(targets, record) {
    const { dir, stack, moved } = targets;
    const { databaseUrl } = stack.file;
    const { standby, data, copy } = await standbyOf(targets);
    let isPromoted = false;
    try {
      await standby.start();
      await commitsWait(databaseUrl);
      record.startedAt = Date.now();
      stack.kill('postgres', signal);
      await stack.infra.postgres.stop(); // so that it is not started again
      await withClient(standby.url, (client) => client.query('select pg_promote()'));
      await until(() => isPrimary(standby.url));
      isPromoted = true;
      moved.set('postgres', Number(new URL(standby.url).port));
      await sleep(ms);
      moved.delete('postgres');
    } finally {
      await standby.stop();
      if (isPromoted) {
        renameSync(data, `${data}.former`); // processes of the former primary may still end
        renameSync(copy, data);
      }
      await stack.infra.postgres.start();
      await withClient(databaseUrl, (client) => setSynchronous(client, ''));
      for (const folder of [`${data}.former`, serverHome(standbyDir(dir)).dir, standbyDir(dir)])
        rmSync(folder, { recursive: true, force: true });
    }
  },
});

const standbyDir = (dir: string): string => path.join(dir, 'standby');

/** Copies the primary. Returns the server on the copy, not started, and the folders of the data and the copy. */
async function standbyOf({ dir, stack }: Targets) {
  const { databaseUrl } = stack.file;
  const { postgresPassword } = loadSecrets(dir, serviceNames);
  const { postgres: standby } = privateServers({ dir: standbyDir(dir), ephemeral: false, postgresPassword });
  const data = path.join(serverHome(dir).dir, 'postgres-data');
  const copy = path.join(serverHome(standbyDir(dir)).dir, 'postgres-data');
  rmSync(copy, { recursive: true, force: true });
  // The standby reads from the primary what is written during the copy.
  await withClient(databaseUrl, async (client) => {
    await client.query(`alter system set wal_keep_size = '2GB'`);
    await client.query('select pg_reload_conf()');
  });
  await baseBackup(databaseUrl, data, copy);
  const { hostname, port, username, password } = new URL(databaseUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password} application_name=${standbyName}`;
  appendFileSync(path.join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  writeAs(path.join(copy, 'standby.signal'), '', data);
  return { standby, data, copy };
}

async function isPrimary(url: string): Promise<boolean> {
  const sql = 'select pg_is_in_recovery() as standby';
  const { rows } = await withClient(url, (client) => client.query<{ standby: boolean }>(sql));
  return !rows[0]!.standby;
}

/** From now on, each commit waits until the standby has it. */
const commitsWait = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await setSynchronous(client, standbyName);
    await eventually(async () => {
      const { rowCount } = await client.query(`select from pg_stat_replication where sync_state = 'sync'`);
      return rowCount === 1;
    });
  });

async function setSynchronous(
  client: { query(sql: string): Promise<unknown> },
  names: string,
): Promise<void> {
  await client.query(`alter system set synchronous_standby_names = '${names}'`);
  await client.query('select pg_reload_conf()');
}
