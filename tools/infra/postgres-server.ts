import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { ensureDir } from './account';
import { SetupError, tail } from './checkout';
import { postgresBinaries } from './postgres-binaries';
import { PrivateServer, type PrivateServerOptions } from './private-server';
import { isAlive, launch, recordOf, startTimeOf, terminate } from './processes';
import { withClient } from './with-client';

/** A PostgreSQL of our own on 127.0.0.1. */
export class PostgresServer extends PrivateServer {
  protected readonly portNames = ['postgres'];
  /** Fast shutdown (clients are disconnected), then immediate. */
  protected readonly stopSteps = [
    ['SIGINT', 15_000],
    ['SIGQUIT', 3_000],
  ] as const;
  protected readonly portTaken = /could not bind/;
  protected readonly readyTimeoutMs = 60_000;
  private binaries = '';

  /** @param password of the superuser `postgres`; null for a server that asks for none */
  constructor(
    options: PrivateServerOptions,
    private readonly password: string | null,
  ) {
    super('PostgreSQL', 'postgres', options, false);
  }

  /** Superuser URL of the database `postgres`. */
  get url(): string {
    const login = this.password === null ? 'postgres' : `postgres:${this.password}`;
    return `postgres://${login}@127.0.0.1:${this.port('postgres')}/postgres`;
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.stopUnrecorded();
  }

  protected async prepare(): Promise<void> {
    this.binaries = path.join(await postgresBinaries(this.programs), 'bin');
    if (!existsSync(path.join(this.data, 'PG_VERSION'))) this.createCluster();
  }

  protected launch(): Promise<{ pid: number }> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '', // a deep path would exceed the 107 bytes of a socket's name
      max_connections: '300',
      shared_buffers: '128MB',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...(this.ephemeral ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    };
    const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    return launch({
      command: path.join(this.binaries, 'postgres'),
      args: ['-D', this.data, '-p', String(this.port('postgres')), ...args],
      env: { PATH: process.env['PATH'] },
      cwd: '/',
      logFile: this.logFile,
      account: this.home.account,
    });
  }

  /** Returns whether it answers a query with our data folder; a foreign server on our port is not ready. */
  protected async isReady(): Promise<true | string> {
    const sql = 'show data_directory';
    const ask = (client: Client) => client.query<{ data_directory: string }>(sql);
    const { rows } = await withClient(this.url, ask, 5_000);
    return rows[0]?.data_directory === this.data || 'another PostgreSQL answers there';
  }

  /** Into a draft folder first, so that an interrupted initdb leaves no half cluster. */
  private createCluster(): void {
    const { account } = this.home;
    const draft = `${this.data}.new`;
    rmSync(draft, { recursive: true, force: true });
    ensureDir(draft, account, 0o700);
    const passwordFile = `${draft}.password`;
    if (this.password !== null) {
      writeFileSync(passwordFile, this.password, { mode: 0o600 });
      if (account) chownSync(passwordFile, account.uid, account.gid);
    }
    const locale =
      process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', '--builtin-locale=C.UTF-8'];
    const auth =
      this.password === null ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const encoding = ['--encoding=UTF8', '--locale-provider=builtin', ...locale];
    const result = spawnSync(
      path.join(this.binaries, 'initdb'),
      ['-D', draft, '-U', 'postgres', '--no-sync', ...encoding, ...auth],
      { ...account, cwd: '/', env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
    );
    rmSync(passwordFile, { force: true });
    if (result.status !== 0)
      throw new SetupError(`initdb failed: ${tail(result.stderr || String(result.error), 4)}`);
    renameSync(draft, this.data);
  }

  /**
   * Ends a server on our data that the pid file does not name (the file was deleted, or we were killed
   * before we wrote it). A postmaster.pid of a dead server is removed: another process may have its number
   * by now, and PostgreSQL would refuse to start.
   */
  private async stopUnrecorded(): Promise<void> {
    const lock = path.join(this.data, 'postmaster.pid');
    if (!existsSync(lock)) return;
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    if (startTimeOf(pid) !== null && commandOf(pid).includes(this.data)) {
      const record = recordOf(pid);
      await terminate(record, this.stopSteps);
      if (isAlive(record))
        throw new SetupError(`PostgreSQL (process ${pid}) does not stop: end it with kill -9 ${pid}.`);
    }
    rmSync(lock, { force: true });
  }
}

function commandOf(pid: number): string {
  return existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}
