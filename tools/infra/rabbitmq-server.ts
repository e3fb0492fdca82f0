import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureDir } from './account';
import { launch } from './launch';
import { tail, type InfraServer, type PrivateServerOptions } from './private-server';
import { PidFile, signalProcess, startTimeOf, terminate } from './process-record';
import { rabbitBinaries, type RabbitBinaries } from './rabbitmq-binaries';
import { rabbitEnvironment, rabbitConfiguration } from './rabbitmq-configuration';
import { SetupError } from './setup-error';

const run = promisify(execFile);
const portNames = ['amqp', 'amqp-management', 'amqp-prometheus', 'erlang-distribution', 'epmd'] as const;

/** A RabbitMQ node of our own on 127.0.0.1, with the management and prometheus plugins; user guest, password guest. */
export class RabbitServer implements InfraServer {
  private readonly node: PidFile;
  private readonly epmd: PidFile;
  private readonly data: string;
  private readonly logFile: string;
  /** It ran once: clients know its port by now, and rely on its data. */
  private known = false;
  /** The same for the same folder: the node's name is part of its data. Different ones never meet. */
  private readonly nodeName: string;

  constructor(private readonly options: PrivateServerOptions) {
    this.node = new PidFile(path.join(options.dir, 'run', 'rabbitmq.json'));
    this.epmd = new PidFile(path.join(options.dir, 'run', 'epmd.json'));
    this.data = path.join(options.home.dir, 'rabbitmq-data');
    this.logFile = path.join(options.dir, 'logs', 'rabbitmq.log');
    this.nodeName = `canvass-${createHash('sha256').update(this.data).digest('hex').slice(0, 8)}@localhost`;
  }

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.options.ports.remembered('amqp') ?? 0}`;
  }

  /** Base URL of the management API, with its login. */
  get managementUrl(): string {
    return `http://guest:guest@127.0.0.1:${this.options.ports.remembered('amqp-management') ?? 0}`;
  }

  pid(): number | null {
    return this.node.live()?.pid ?? null;
  }

  alive(): boolean {
    return this.node.live() !== null;
  }

  async start(): Promise<void> {
    if (this.alive()) {
      await this.untilReady();
      return;
    }
    await this.stop();
    if (this.options.ephemeral && !this.known) rmSync(this.data, { recursive: true, force: true });
    const binaries = await rabbitBinaries(this.options.programs, this.options.say);
    for (let attempt = 1; ; attempt++) {
      if (await this.launchOnce(binaries)) return;
      const log = existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
      await this.stop();
      if (attempt === 3 || !/eaddrinuse|address already in use|port .* in use/i.test(log)) {
        throw new SetupError(`RabbitMQ did not start; the end of ${this.logFile}:\n${tail(log)}`);
      }
      for (const name of portNames) this.options.ports.forget(name);
    }
  }

  /** An ephemeral node has nothing to save and is killed; the other gets the time to close its files. */
  async stop(): Promise<void> {
    await terminate(this.node.live(), this.options.ephemeral ? [] : [['SIGTERM', 20_000]], true);
    await terminate(this.epmd.live(), [['SIGTERM', 2_000]]);
    this.node.remove();
    this.epmd.remove();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** To the node's whole process group, but not to epmd. */
  signal(signal: NodeJS.Signals): void {
    const record = this.node.live();
    if (record) signalProcess(record, signal, true);
  }

  /** To epmd, Erlang's port mapper, which outlives the node. */
  signalMapper(signal: NodeJS.Signals): void {
    const record = this.epmd.live();
    if (record) signalProcess(record, signal);
  }

  /** Runs `rabbitmqctl` on the node. Rejects with what it said when it fails. */
  async control(...args: string[]): Promise<void> {
    const { home, ports, programs, say } = this.options;
    const binaries = await rabbitBinaries(programs, say);
    const [amqp, distribution, epmd] = [
      ports.remembered('amqp') ?? 0,
      ports.remembered('erlang-distribution') ?? 0,
      ports.remembered('epmd') ?? 0,
    ];
    const program = path.join(path.dirname(binaries.server), 'rabbitmqctl');
    await run(program, ['--quiet', '--node', this.nodeName, ...args], {
      ...(home.account ?? {}),
      env: { ...binaries.env, ...rabbitEnvironment(this.data, this.nodeName, { amqp, distribution, epmd }) },
      cwd: this.data,
      timeout: 30_000,
    });
  }

  private async launchOnce(binaries: RabbitBinaries): Promise<boolean> {
    const { home, ports } = this.options;
    const take = (name: (typeof portNames)[number]) => ports.take(name, this.known ? 5_000 : 0);
    const [amqp, management, prometheus] = [
      await take('amqp'),
      await take('amqp-management'),
      await take('amqp-prometheus'),
    ];
    const [distribution, epmd] = [await take('erlang-distribution'), await take('epmd')];
    for (const dir of ['', 'home', 'mnesia', 'log']) ensureDir(path.join(this.data, dir), home.account);
    const write = (name: string, text: string) => {
      const file = path.join(this.data, name);
      writeFileSync(file, text);
      if (home.account) chownSync(file, home.account.uid, home.account.gid);
    };
    write('rabbitmq.conf', rabbitConfiguration({ amqp, management, prometheus }));
    write('enabled_plugins', '[rabbitmq_management,rabbitmq_prometheus].\n');
    rmSync(this.logFile, { force: true });
    const env = {
      ...binaries.env,
      ...rabbitEnvironment(this.data, this.nodeName, { amqp, distribution, epmd }),
    };
    const common = { env, cwd: this.data, logFile: this.logFile, account: home.account };
    // Started by us and in the foreground, because the one that Erlang starts by itself stays behind for ever.
    const mapper = await launch({
      ...common,
      command: binaries.epmd,
      args: ['-port', String(epmd), '-address', '127.0.0.1'],
    });
    this.epmd.write(mapper.pid);
    const child = await launch({ ...common, command: binaries.server, args: [] });
    try {
      this.node.write(child.pid);
      await this.untilReady();
      this.known = true;
      return true;
    } catch (error) {
      if (startTimeOf(child.pid) === null) return false;
      throw error;
    }
  }

  /** Ready = the management API answers under our node's name, and says that the AMQP listener is open. */
  private async untilReady(): Promise<void> {
    const deadline = Date.now() + 120_000;
    const port = this.options.ports.remembered('amqp-management');
    const headers = { authorization: `Basic ${Buffer.from('guest:guest').toString('base64')}` };
    for (let last = 'no answer'; ; await sleep(100)) {
      if (!this.alive()) throw new Error('rabbitmq-server ended while starting');
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/api/overview`, {
          headers,
          signal: AbortSignal.timeout(5_000),
        });
        const overview = (await answer.json()) as {
          node?: string;
          listeners?: { protocol: string; node: string }[];
        };
        if (overview.node === this.nodeName && overview.listeners?.some((l) => l.protocol === 'amqp')) return;
        last = `${answer.status} from ${overview.node ?? 'something else'}`;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
      if (Date.now() > deadline) throw new SetupError(`RabbitMQ did not get ready within 120 s: ${last}.`);
    }
  }
}
