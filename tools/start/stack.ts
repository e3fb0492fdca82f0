import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { acquireInfra, isFree, messageOf, PortBook, SetupError, type GivenUrls } from '../infra';
import { demoLogins, type DemoLogins } from './demo-logins';
import { endLeftoverServices } from './running-stack';
import { loadSecrets } from './secrets';
import { ServiceSet } from './service-set';
import {
  provisionBrokerUsers,
  provisionServices,
  serviceNames,
  type ServiceEnvironments,
  type ServiceName,
} from './services';
import { stackFileIn, writeStackFile, type StackFile } from './stack-file';
import { PortTaken } from './supervised-process';
import { Supervisor, type Ending } from './supervisor';

export interface StackOptions {
  /** Everything the stack keeps lies here: data, ports, secrets, logs, pid files, stack.json. */
  dir: string;
  replicas?: Partial<Record<ServiceName, number>>;
  /** Port of the first gateway; null and absent for a free one. */
  gatewayPort?: number | null;
  /** Further configuration over the one the stack gives. */
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
  /** The content of stack.json now. */
  readonly file: StackFile;
  readonly infra: { postgres: Supervisor; rabbitmq: Supervisor };
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
  const { gatewayPort } = options;
  if (gatewayPort && !(await isFree(gatewayPort)))
    throw new SetupError(`Another process listens on port ${gatewayPort}: end it, or choose another --port.`);
  const secrets = loadSecrets(dir, serviceNames);
  const ports = new PortBook(path.join(dir, 'ports.json'));
  const servers = await acquireInfra({
    dir,
    ports,
    ephemeral: options.ephemeral ?? false,
    postgresPassword: secrets.postgresPassword,
    given: options.given ?? {},
    privateOnly: options.privateServers ?? false,
    say,
  });
  let demo: DemoLogins | undefined;
  let stopped: Promise<void> | undefined;
  const changed = () => {
    if (demo && !stopped) writeStackFile(dir, fileOf(demo));
  };
  const postgres = new Supervisor('PostgreSQL', servers.postgres, say, changed);
  const rabbitmq = new Supervisor('RabbitMQ', servers.rabbitmq, say, changed);
  const services = new ServiceSet({ ...options, say, ports, secrets, changed });
  const addresses = () => ({
    databaseUrl: servers.postgres.url,
    amqpUrl: servers.rabbitmq.url,
    amqpManagementUrl: servers.rabbitmq.managementUrl,
  });

  const fileOf = (logins: DemoLogins): StackFile => ({
    gatewayUrl: services.urlOf('gateway'),
    ...services.running(),
    ...addresses(),
    infra: { postgres: { pid: postgres.pid() }, rabbitmq: { pid: rabbitmq.pid() } },
    supervisorPid: process.pid,
    demo: logins,
  });
  const stop = async () => {
    rmSync(stackFileIn(dir), { force: true });
    await services.stop();
    await Promise.all([postgres.stop(), rabbitmq.stop()]);
  };
  try {
    await allDone([options.prepare?.() ?? Promise.resolve(), postgres.start(), rabbitmq.start()]);
    say(`Servers: ${servers.description}`);
    await provisionServices(addresses().databaseUrl, secrets).catch((error: unknown) => {
      throw new SetupError(
        `The database cannot be prepared: ${messageOf(error)} (its login must be allowed to create roles, schemas and extensions)`,
      );
    });
    await provisionBrokerUsers(addresses(), secrets).catch((error: unknown) => {
      throw new SetupError(
        `RabbitMQ cannot be prepared: ${messageOf(error)} (the login of its management API must be an administrator)`,
      );
    });
    for (let attempt = 1; ; attempt++) {
      try {
        await services.start(addresses());
        break;
      } catch (error) {
        if (!(error instanceof PortTaken) || attempt === 3) throw error;
        await services.stop();
        services.forgetPorts();
      }
    }
    const logins = (demo = await demoLogins(dir, services.urlOf('gateway'), secrets));
    changed();
    return {
      get file() {
        return fileOf(logins);
      },
      infra: { postgres, rabbitmq },
      kill(name, signal) {
        if (name === 'postgres') postgres.signal(signal);
        else if (name === 'rabbitmq') rabbitmq.signal(signal);
        else services.signal(name, signal);
      },
      restart: (name, signal) => services.restart(name, signal),
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Works like Promise.all, but rejects only when none is under way any more: what still starts could not be
 * stopped.
 */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
