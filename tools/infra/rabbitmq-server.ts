import { createHash } from 'node:crypto';
import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDir } from './account';
import { PrivateServer, type PrivateServerOptions } from './private-server';
import { launch, PidFile, terminate } from './processes';
import { rabbitBinaries, type RabbitBinaries } from './programs';
import { rabbitConfiguration, rabbitEnvironment } from './rabbitmq-configuration';
import { rabbitLogin, type RabbitLogin } from './rabbitmq-login';

/** A RabbitMQ node of our own on 127.0.0.1, with the management and prometheus plugins. */
export class RabbitServer extends PrivateServer {
  protected readonly portNames = [
    'amqp',
    'amqp-management',
    'amqp-prometheus',
    'erlang-distribution',
    'epmd',
  ];
  /** An ephemeral node has nothing to save and is killed; another one gets the time to close its files. */
  protected readonly stopSteps = this.ephemeral ? [] : [['SIGTERM', 20_000] as const];
  protected readonly portTaken = /eaddrinuse|address already in use|port .* in use/i;
  protected readonly readyTimeoutMs = 120_000;
  /** epmd, Erlang's port mapper, which outlives the node. */
  private readonly mapper: PidFile;
  /**
   * The same for the same folder, because the name is part of the data; different folders have different
   * nodes.
   */
  private readonly nodeName: string;
  private readonly login: RabbitLogin;

  constructor(options: PrivateServerOptions) {
    super('RabbitMQ', 'rabbitmq', options, true);
    this.login = rabbitLogin(options.dir);
    this.mapper = new PidFile(path.join(options.dir, 'run', 'epmd.json'));
    this.nodeName = `canvass-${createHash('sha256').update(this.data).digest('hex').slice(0, 8)}@localhost`;
  }

  get url(): string {
    const { user, password } = this.login;
    return `amqp://${user}:${password}@127.0.0.1:${this.port('amqp')}`;
  }

  /** Base URL of the management API, with its login. */
  get managementUrl(): string {
    const { user, password } = this.login;
    return `http://${user}:${password}@127.0.0.1:${this.port('amqp-management')}`;
  }

  override async stop(): Promise<void> {
    await super.stop();
    await terminate(this.mapper.live(), [['SIGTERM', 2_000]]);
    this.mapper.remove();
  }

  protected async prepare(): Promise<void> {
    await this.binaries();
    const { account } = this.home;
    for (const dir of ['', 'home', 'mnesia', 'log']) ensureDir(path.join(this.data, dir), account, 0o700);
  }

  protected async launch(): Promise<{ pid: number }> {
    const binaries = await this.binaries();
    this.write(
      'rabbitmq.conf',
      rabbitConfiguration(
        {
          amqp: this.port('amqp'),
          management: this.port('amqp-management'),
          prometheus: this.port('amqp-prometheus'),
        },
        this.login,
      ),
    );
    this.write('enabled_plugins', '[rabbitmq_management,rabbitmq_prometheus].\n');
    const { data: cwd, logFile } = this;
    const common = { env: this.environment(binaries), cwd, logFile, account: this.home.account };
    // Erlang would start a mapper by itself that never ends.
    const mapper = ['-port', String(this.port('epmd')), '-address', '127.0.0.1'];
    this.mapper.write((await launch({ ...common, command: binaries.epmd, args: mapper })).pid);
    return launch({ ...common, command: binaries.server, args: [] });
  }

  /** The management API answers under our node's name and reports an open AMQP listener. */
  protected async isReady(): Promise<true | string> {
    const { user, password } = this.login;
    const answer = await fetch(`http://127.0.0.1:${this.port('amqp-management')}/api/overview`, {
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
      signal: AbortSignal.timeout(5_000),
    });
    const overview = (await answer.json()) as { node?: string; listeners?: { protocol: string }[] };
    const isOpen = overview.listeners?.some(({ protocol }) => protocol === 'amqp') ?? false;
    return (
      (overview.node === this.nodeName && isOpen) ||
      `${answer.status} from ${overview.node ?? 'another server'}`
    );
  }

  private binaries(): Promise<RabbitBinaries> {
    return rabbitBinaries(this.programs, this.say);
  }

  private environment(binaries: RabbitBinaries): Record<string, string> {
    const ports = {
      amqp: this.port('amqp'),
      distribution: this.port('erlang-distribution'),
      epmd: this.port('epmd'),
    };
    return { ...binaries.env, ...rabbitEnvironment(this.data, this.nodeName, ports) };
  }

  private write(name: string, text: string): void {
    const file = path.join(this.data, name);
    writeFileSync(file, text, { mode: 0o600 });
    const { account } = this.home;
    if (account) chownSync(file, account.uid, account.gid);
  }
}
