import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ensureDir } from './account';
import { launch } from './launch';
import { postgresBinaries } from './postgres-binaries';
import { tail, type InfraServer, type PrivateServerOptions } from './private-server';
import { isAlive, PidFile, recordOf, signalProcess, startTimeOf, terminate } from './process-record';
import { SetupError } from './setup-error';

/** Fast shutdown (clients are cut off), then immediate. */
const stopSteps = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 3_000],
] as const;

/** A PostgreSQL of our own on 127.0.0.1. `password` null = no password is asked. */
export class PostgresServer implements InfraServer {
  private readonly pidFile: PidFile;
  private readonly data: string;
  private readonly logFile: string;
  /** It ran once: clients know its port by now, and rely on its data. */
  private known = false;

  constructor(
    private readonly options: PrivateServerOptions,
    private readonly password: string | null,
  ) {
    this.pidFile = new PidFile(path.join(options.dir, 'run', 'postgres.json'));
    this.data = path.join(options.home.dir, 'postgres-data');
    this.logFile = path.join(options.dir, 'logs', 'postgres.log');
  }

  /** Superuser URL of the database `postgres`. */
  get url(): string {
    const login = this.password === null ? 'postgres' : `postgres:${this.password}`;
    return `postgres://${login}@127.0.0.1:${this.options.ports.remembered('postgres') ?? 0}/postgres`;
  }

  pid(): number | null {
    return this.pidFile.live()?.pid ?? null;
  }

  alive(): boolean {
    return this.pidFile.live() !== null;
  }

  async start(): Promise<void> {
    if (this.alive()) {
      await this.untilReady();
      return;
    }
    await this.stopLeftover();
    if (this.options.ephemeral && !this.known) rmSync(this.data, { recursive: true, force: true });
    const native = await postgresBinaries(this.options.programs);
    if (!existsSync(path.join(this.data, 'PG_VERSION'))) this.createCluster(native);
    for (let attempt = 1; ; attempt++) {
      if (await this.launchOnce(native)) return;
      const log = readFileSync(this.logFile, 'utf8');
      if (attempt === 3 || !log.includes('could not bind')) {
        throw new SetupError(`PostgreSQL did not start; the end of ${this.logFile}:\n${tail(log)}`);
      }
      this.options.ports.forget('postgres');
    }
  }

  async stop(): Promise<void> {
    await terminate(this.pidFile.live(), stopSteps);
    this.pidFile.remove();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    const record = this.pidFile.live();
    if (record) signalProcess(record, signal);
  }

  /** Into a draft folder first, so that an interrupted initdb leaves no half cluster behind. */
  private createCluster(native: string): void {
    const { home } = this.options;
    const draft = `${this.data}.new`;
    rmSync(draft, { recursive: true, force: true });
    ensureDir(draft, home.account, 0o700);
    const passwordFile = path.join(draft, '..', `password.${process.pid}`);
    const auth =
      this.password === null ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const locale =
      process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', '--builtin-locale=C.UTF-8'];
    // The password file is short-lived but must be readable by the servers' account.
    if (this.password !== null) writeFileSync(passwordFile, this.password, { mode: 0o600 });
    try {
      if (this.password !== null && home.account)
        spawnSync('chown', [String(home.account.uid), passwordFile]);
      const result = spawnSync(
        path.join(native, 'bin', 'initdb'),
        [
          '-D',
          draft,
          '-U',
          'postgres',
          '--encoding=UTF8',
          '--locale-provider=builtin',
          ...locale,
          '--no-sync',
          ...auth,
        ],
        { ...(home.account ?? {}), cwd: '/', env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
      );
      if (result.status !== 0) {
        throw new SetupError(`initdb failed: ${tail(result.stderr || String(result.error), 4)}`);
      }
    } finally {
      rmSync(passwordFile, { force: true });
    }
    renameSync(draft, this.data);
  }

  private async launchOnce(native: string): Promise<boolean> {
    const { home, ports, ephemeral } = this.options;
    const port = await ports.take('postgres', this.known ? 5_000 : 0);
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '', // a deep path would exceed the 107 bytes of a socket's name
      max_connections: '300',
      shared_buffers: '128MB',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...(ephemeral ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    };
    const child = await launch({
      command: path.join(native, 'bin', 'postgres'),
      args: [
        '-D',
        this.data,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
      ],
      env: { PATH: process.env['PATH'] },
      cwd: '/',
      logFile: this.freshLog(),
      account: home.account,
    });
    try {
      this.pidFile.write(child.pid);
      await this.untilReady();
      this.known = true;
      return true;
    } catch (error) {
      if (startTimeOf(child.pid) === null) return false;
      throw error;
    }
  }

  private freshLog(): string {
    rmSync(this.logFile, { force: true });
    return this.logFile;
  }

  /** Ready = it answers a query and serves our data folder; a stranger on our port is not ready. */
  private async untilReady(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (let last = 'no answer'; ; await sleep(30)) {
      if (!this.alive()) throw new Error('postgres ended while starting');
      const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        if (rows[0]?.data_directory === this.data) return;
        last = `another PostgreSQL answers there`;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      } finally {
        await client.end().catch(() => undefined);
      }
      if (Date.now() > deadline) throw new SetupError(`PostgreSQL did not get ready within 60 s: ${last}.`);
    }
  }

  /**
   * A server that runs on our data although our pid file does not know it (the file was deleted, or we were killed
   * between the two) must end before another opens the same data. A postmaster.pid of a dead one is removed: its number
   * may belong to another process by now, and then PostgreSQL would refuse to start.
   */
  private async stopLeftover(): Promise<void> {
    const lock = path.join(this.data, 'postmaster.pid');
    if (!existsSync(lock)) return;
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    if (startTimeOf(pid) !== null && servesData(pid, this.data)) {
      const record = recordOf(pid);
      await terminate(record, stopSteps);
      if (isAlive(record))
        throw new SetupError(`PostgreSQL (process ${pid}) does not stop: end it with kill -9 ${pid}.`);
    }
    rmSync(lock, { force: true });
  }
}

function servesData(pid: number, data: string): boolean {
  const command = existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return command.includes(data);
}
