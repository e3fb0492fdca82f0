import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { provision, serviceRoles } from '@canvass/postgres';
import { acquireInfra, PortBook, SetupError, type GivenUrls, type Infra } from '../infra';
import { demoLogins } from './demo-logins';
import { endLeftoverServices } from './running-stack';
import { loadSecrets, type Secrets } from './secrets';
import { ServiceSet } from './service-set';
import type { ServiceEnvironments, ServiceName, StackAddresses } from './services';
import { serviceNames } from './services';
import { stackFileIn, writeStackFile, type StackFile } from './stack-file';
import { PortTaken, type Ending } from './supervised-process';
import { SupervisedServer } from './supervised-server';

export interface StackOptions {
  /** Everything the stack keeps lies here: data, ports, secrets, logs, pid files, stack.json. */
  dir: string;
  replicas?: Partial<Record<ServiceName, number>>;
  /** More configuration over the one the stack gives. */
  env?: ServiceEnvironments;
  /** The program (main.js) of a service where it is not the one that the build made. */
  programs?: Partial<Record<ServiceName, string>>;
  /** Arguments of Node for every service. */
  nodeArgs?: readonly string[];
  /** External servers. */
  given?: GivenUrls;
  /** Servers of our own even where a Docker engine answers: for tools that kill them. */
  privateServers?: boolean;
  /** Throw data away at each start and never wait for the disk: for tests. */
  ephemeral?: boolean;
  /** Prints what happens; silent by default. */
  say?: (line: string) => void;
  /** Awaited before the services start, while the servers already boot: the build. */
  prepare?: () => Promise<void>;
}

/** A running stack. */
export interface Stack {
  /** What stack.json says now. */
  readonly file: StackFile;
  readonly infra: { postgres: SupervisedServer; rabbitmq: SupervisedServer };
  /**
   * Sends a signal to a service (`gateway`), one of its copies (`webhook-relay-svc-2`), `postgres` or
   * `rabbitmq`. What dies of it is started again.
   */
  kill(name: string, signal: NodeJS.Signals): void;
  /** Stops or kills one copy of a service, starts it again and resolves when it is ready. */
  restart(name: string, signal?: 'SIGTERM' | 'SIGKILL'): Promise<Ending>;
  /** The services first, each finishing what it does, then the servers. */
  stop(): Promise<void>;
}

/**
 * Brings everything up and keeps it up; resolves when every process is ready. Whatever was started is
 * stopped if it fails.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dir, say = () => undefined } = options;
  mkdirSync(path.join(dir, 'run'), { recursive: true });
  await endLeftoverServices(dir);
  const secrets = loadSecrets(dir, serviceNames);
  const ports = new PortBook(path.join(dir, 'ports.json'));
  const infra = await acquireInfra({
    dir,
    ports,
    ephemeral: options.ephemeral ?? false,
    postgresPassword: secrets.postgresPassword,
    given: options.given ?? {},
    privateOnly: options.privateServers ?? false,
    say,
  });
  const changed = () => running?.publish();
  const postgres = new SupervisedServer('PostgreSQL', infra.postgres, say, changed);
  const rabbitmq = new SupervisedServer('RabbitMQ', infra.rabbitmq, say, changed);
  let running: RunningStack | undefined;
  const services = new ServiceSet({ ...options, say, ports, secrets, changed });
  try {
    await allDone([options.prepare?.() ?? Promise.resolve(), postgres.start(), rabbitmq.start()]);
    say(`Servers: ${infra.description}`);
    await provisionRoles(infra, secrets);
    for (let attempt = 1; ; attempt++) {
      try {
        await services.start(addresses(infra, secrets));
        break;
      } catch (error) {
        if (!(error instanceof PortTaken) || attempt === 3) throw error;
        await services.stop();
        services.forgetPorts();
      }
    }
    const demo = await demoLogins(dir, services.urlOf('gateway'), secrets);
    running = new RunningStack(dir, infra, { postgres, rabbitmq }, services, demo);
    running.publish();
    return running;
  } catch (error) {
    await services.stop();
    await Promise.all([postgres.stop(), rabbitmq.stop()]);
    throw error;
  }
}

/**
 * Like Promise.all, but rejects only when none is under way any more: what still starts could not be
 * stopped.
 */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

class RunningStack implements Stack {
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly dir: string,
    private readonly servers: Infra,
    readonly infra: { postgres: SupervisedServer; rabbitmq: SupervisedServer },
    private readonly services: ServiceSet,
    private readonly demo: StackFile['demo'],
  ) {}

  get file(): StackFile {
    const gatewayUrl = this.services.urlOf('gateway');
    return {
      gatewayUrl,
      consoleUrl: `${gatewayUrl}/`,
      ...this.services.running(),
      databaseUrl: this.servers.postgres.url,
      amqpUrl: this.servers.rabbitmq.url,
      amqpManagementUrl: this.servers.rabbitmq.managementUrl,
      infra: { postgres: { pid: this.infra.postgres.pid() }, rabbitmq: { pid: this.infra.rabbitmq.pid() } },
      supervisorPid: process.pid,
      demo: this.demo,
    };
  }

  publish(): void {
    if (!this.stopped) writeStackFile(this.dir, this.file);
  }

  kill(name: string, signal: NodeJS.Signals): void {
    if (name === 'postgres' || name === 'rabbitmq') this.infra[name].signal(signal);
    else this.services.signal(name, signal);
  }

  restart(name: string, signal?: 'SIGTERM' | 'SIGKILL'): Promise<Ending> {
    return this.services.restart(name, signal);
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private async stopAll(): Promise<void> {
    rmSync(stackFileIn(this.dir), { force: true });
    await this.services.stop();
    await Promise.all([this.infra.postgres.stop(), this.infra.rabbitmq.stop()]);
  }
}

async function provisionRoles(infra: Infra, secrets: Secrets): Promise<void> {
  try {
    await provision(
      infra.postgres.url,
      serviceRoles.map(({ service, schema, role }) => ({
        schema,
        role,
        password: secrets.rolePasswords[service] ?? '',
      })),
    );
  } catch (error) {
    throw new SetupError(
      `The database cannot be prepared (${error instanceof Error ? error.message : String(error)}): its login must be allowed to create roles, schemas and extensions.`,
    );
  }
}

function addresses(infra: Infra, secrets: Secrets): Omit<StackAddresses, 'urls'> {
  return {
    amqpUrl: infra.rabbitmq.url,
    databaseUrl(service) {
      const role = serviceRoles.find((entry) => entry.service === service)?.role;
      if (!role) throw new Error(`${service} has no database`);
      const url = new URL(infra.postgres.url);
      url.username = role;
      url.password = secrets.rolePasswords[service] ?? '';
      return url.href;
    },
  };
}
