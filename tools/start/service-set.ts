import path from 'node:path';
import { checkoutDir, type PortBook } from '../infra';
import type { Secrets } from './secrets';
import {
  serviceEnvironment,
  serviceNames,
  type ServiceEnvironments,
  type ServiceName,
  type StackAddresses,
} from './services';
import { urlsOf, type RunningCopy, type StackFile } from './stack-file';
import { SupervisedProcess } from './supervised-process';
import type { Ending } from './supervisor';

export interface ServiceSetOptions {
  dir: string;
  /** The services that there are; all unless given. Only identity-svc can be left out. */
  services?: readonly ServiceName[];
  replicas?: Partial<Record<ServiceName, number>>;
  gatewayPort?: number | null;
  env?: ServiceEnvironments;
  programs?: Partial<Record<ServiceName, string>>;
  nodeArgs?: readonly string[];
  ports: PortBook;
  secrets: Secrets;
  say(line: string): void;
  changed(): void;
}

interface Copy {
  service: ServiceName;
  /** The service's name; from the second copy on with its number. */
  name: keyof ServiceEnvironments;
  port: number;
  internalPort: number;
  process?: SupervisedProcess;
}

/** The service processes of a stack. */
export class ServiceSet {
  private copies: Copy[] = [];

  constructor(private readonly options: ServiceSetOptions) {}

  /** Starts all and waits until all are ready. */
  async start(addresses: Omit<StackAddresses, 'urls'>): Promise<void> {
    const { gatewayPort, ports } = this.options;
    this.copies = [];
    for (const service of this.options.services ?? serviceNames) {
      for (let number = 1; number <= (this.options.replicas?.[service] ?? 1); number++) {
        const name = number === 1 ? service : (`${service}-${number}` as const);
        // The first gateway gets the one that was asked for.
        const port = (name === 'gateway' && gatewayPort) || (await ports.take(name));
        const internalPort = await ports.take(`${name}-internal`);
        this.copies.push({ service, name, port, internalPort });
      }
    }
    const stack = { ...addresses, urls: urlsOf(this.running()) };
    const all = this.copies.map((copy) => {
      const process = (copy.process = this.processOf(copy, stack));
      return { process, readyUrl: this.readyUrlOf(copy) };
    });
    await Promise.all(all.map(({ process }) => process.start()));
    await Promise.all(all.map(({ process, readyUrl }) => process.waitReady(readyUrl)));
  }

  /** The gateway first, so that no request reaches services that stop. */
  async stop(): Promise<void> {
    const isDoor = (copy: Copy) => copy.service === 'gateway';
    await stopAll(this.copies.filter(isDoor));
    await stopAll(this.copies.filter((copy) => !isDoor(copy)));
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.copyOf(name).process?.signal(signal);
  }

  /**
   * Stops one process as a deployment does, or kills it, starts it again and waits until it is ready; returns
   * how it ended.
   */
  async restart(name: string, signal?: 'SIGTERM' | 'SIGKILL'): Promise<Ending> {
    const copy = this.copyOf(name);
    if (!copy.process) throw new Error(`${name} does not run`);
    const ending = await copy.process.restart(signal);
    await copy.process.waitReady(this.readyUrlOf(copy), 300_000);
    return ending;
  }

  private copyOf(name: string): Copy {
    const copy = this.copies.find((candidate) => candidate.name === name);
    if (!copy) throw new Error(`there is no process "${name}": ${this.copies.map((c) => c.name).join(', ')}`);
    return copy;
  }

  urlOf(service: ServiceName): string {
    return urlOf(this.copyOf(service));
  }

  private readyUrlOf(copy: Copy): string {
    const path = this.options.env?.[copy.service]?.['Service__Hosting__ReadinessPath'] ?? '/ready';
    return urlOf(copy) + path;
  }

  /** Members `services` and `replicas` of stack.json. */
  running(): Pick<StackFile, 'services' | 'replicas'> {
    const services: Partial<Record<ServiceName, RunningCopy>> = {};
    const replicas: StackFile['replicas'] = {};
    for (const copy of this.copies) {
      const entry = {
        url: urlOf(copy),
        metricsUrl: `${internalUrlOf(copy)}/metrics`,
        pid: copy.process?.pid() ?? null,
      };
      if (services[copy.service]) (replicas[copy.service] ??= []).push(entry);
      else services[copy.service] = entry;
    }
    return { services: services as Record<ServiceName, RunningCopy>, replicas };
  }

  /** Forgets the ports after another process took one of them: the next start chooses all of them again. */
  forgetPorts(): void {
    for (const { name } of this.copies) {
      this.options.ports.forget(name);
      this.options.ports.forget(`${name}-internal`);
    }
  }

  private processOf(copy: Copy, stack: StackAddresses): SupervisedProcess {
    const { dir, secrets, env, programs, nodeArgs = [], say, changed } = this.options;
    const built = path.join(checkoutDir, 'dist', 'apps', copy.service, 'main.js');
    return new SupervisedProcess(
      {
        name: copy.name,
        command: process.execPath,
        args: ['--enable-source-maps', ...nodeArgs, programs?.[copy.service] ?? built],
        env: {
          ...ownEnvironment(),
          // As in the image: each further arena of glibc keeps freed memory of its own.
          MALLOC_ARENA_MAX: '2',
          ...serviceEnvironment(copy.service, copy, stack, secrets),
          ...env?.[copy.service],
          ...(copy.name === copy.service ? {} : env?.[copy.name]),
        },
        cwd: dir,
        logFile: path.join(dir, 'logs', `${copy.name}.log`),
        pidFile: path.join(dir, 'run', `${copy.name}.json`),
      },
      say,
      changed,
    );
  }
}

async function stopAll(copies: readonly Copy[]): Promise<void> {
  await Promise.all(copies.flatMap(({ process }) => (process ? [process.stop()] : [])));
}

const urlOf = ({ port }: Copy) => `http://127.0.0.1:${port}`;
const internalUrlOf = ({ internalPort }: Copy) => `http://127.0.0.1:${internalPort}`;

/** Our environment without what would configure the services, Node or a test run by accident. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(Service__|CANVASS_|TEST_|JEST_|npm_|NX_|NODE_(OPTIONS|ENV)$|(DATABASE|AMQP)_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
