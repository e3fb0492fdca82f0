import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  baseBackup,
  ensureDir,
  launch,
  localDir,
  postgresBinaries,
  serverHome,
  writeAs,
  withClient,
} from '@canvass/infra';
import { eventually } from '@canvass/testing';
import type { Client } from 'pg';
import { subnet, type Host, type Network } from './network';

const startMs = 60_000;
const connectMs = 5_000;
const standbyName = 'standby';

/** A primary and its synchronous standby, each on a host of its own. */
export class PostgresPair {
  private readonly pids = new Map<Host, number>();
  private database = 'postgres';

  constructor(
    private readonly network: Network,
    public primary: Host,
    public standby: Host,
    private readonly dir: string,
  ) {}

  readonly url = (host: string): string => `postgres://postgres@${host}:5432/${this.database}`;

  /** Creates a database and uses it from now on. */
  async createDatabase(name: string): Promise<void> {
    await this.asking(this.primary, (client) => client.query(`create database ${name}`));
    this.database = name;
  }

  /** Creates a new primary and its standby. */
  async start(): Promise<void> {
    const { account } = this.home;
    const data = ensureDir(this.dataOf(this.primary), account, 0o700);
    const options = ['-U', 'postgres', '--no-sync', '--auth=trust', '--encoding=UTF8'];
    const locale = ['--locale-provider=builtin', '--locale=C.UTF-8'];
    const made = spawnSync(await this.program('initdb'), ['-D', data, ...options, ...locale], {
      ...account,
      cwd: '/',
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    appendFileSync(
      path.join(data, 'pg_hba.conf'),
      `host all all ${subnet} trust\nhost replication all ${subnet} trust\n`,
    );
    await this.launch(this.primary);
    await this.addStandby();
  }

  /** Copies the primary to the other host and makes commits wait for that copy. */
  async addStandby(): Promise<void> {
    const data = this.dataOf(this.standby);
    rmSync(data, { recursive: true, force: true });
    await this.setSynchronous('');
    await baseBackup(this.url(this.primary.address), this.dataOf(this.primary), data);
    const { uid, gid } = this.home.account!;
    for (const folder of [data, path.join(data, 'pg_wal')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      chownSync(folder, uid, gid);
    }
    const primary = `host=${this.primary.address} user=postgres application_name=${standbyName}`;
    writeAs(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`, data);
    writeAs(path.join(data, 'standby.signal'), '', data);
    await this.launch(this.standby);
    await this.setSynchronous(standbyName);
    await this.asking(this.primary, (client) =>
      eventually(
        async () => {
          const { rowCount } = await client.query(
            `select from pg_stat_replication where sync_state = 'sync'`,
          );
          return rowCount === 1;
        },
        { timeoutMs: startMs, message: 'a synchronous standby' },
      ),
    );
  }

  private async setSynchronous(name: string): Promise<void> {
    await this.asking(this.primary, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${name}'`);
      await client.query('select pg_reload_conf()');
    });
  }

  kill(host: Host): void {
    process.kill(-this.pids.get(host)!, 'SIGKILL');
  }

  /** Makes the standby the primary. The former one must be dead or cut off. */
  async promote(): Promise<void> {
    await this.asking(this.standby, (client) => client.query('select pg_promote()'));
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** How many of the submissions the primary has. */
  async count(ids: readonly string[]): Promise<number> {
    const sql = 'select count(*)::int as n from submissions.submissions where id = any($1::bigint[])';
    return this.asking(this.primary, async (client) => {
      const { rows } = await client.query<{ n: number }>(sql, [ids]);
      return rows[0]!.n;
    });
  }

  private async launch(host: Host): Promise<void> {
    const { account } = this.home;
    const settings = {
      listen_addresses: '*',
      unix_socket_directories: '',
      max_connections: '300',
      wal_keep_size: '1GB',
      // No power fails here; a killed process leaves its writes to the kernel.
      fsync: 'off',
    };
    const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const postgres = await this.program('postgres');
    const { pid } = await launch({
      command: 'nsenter',
      args: this.network.on(host, account!, postgres, '-D', this.dataOf(host), ...args),
      env: { PATH: process.env['PATH'] },
      cwd: '/',
      logFile: path.join(this.dir, 'logs', `${host.name}.log`),
      account: null,
    });
    this.pids.set(host, pid);
    await eventually(() => this.asking(host, (client) => client.query('select 1')), { timeoutMs: startMs });
  }

  private asking<T>(host: Host, ask: (client: Client) => Promise<T>): Promise<T> {
    return withClient(this.url(host.address), ask, connectMs);
  }

  private get home() {
    return serverHome(this.dir);
  }

  private dataOf(host: Host): string {
    return path.join(this.home.dir, host.name);
  }

  private async program(name: string): Promise<string> {
    return path.join(await postgresBinaries(serverHome(localDir)), 'bin', name);
  }
}
