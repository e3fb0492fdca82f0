import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { serviceRoles } from '@canvass/postgres';
import { Client } from 'pg';
import { acquireInfra, livingServers, localDir, PortBook, serverHome, SetupError } from '@canvass/infra';
import {
  buildApps,
  endLeftoverServices,
  loadSecrets,
  serviceNames,
  type Stack,
  type StackOptions,
  startStack,
} from '@canvass/stack';
import { startChild, type Child } from './child';
import type { Watched } from './process-usage';

const dir = path.join(localDir, 'bench');
/** Of the private Postgres. */
export const postgresLog = path.join(dir, 'logs', 'postgres.log');
/** Stays when all else goes. */
export const profilesDir = path.join(dir, 'profiles');

/** The servers that a scenario needs. */
export interface Servers {
  /** Superuser URL. */
  databaseUrl: string;
  amqpUrl: string;
  watched: { postgres: Watched; rabbitmq: Watched };
}

/** What a scenario runs in: servers, the stack and further processes, all private and all ended by `end`. */
export class BenchRun {
  private readonly endings: (() => Promise<void>)[] = [];
  private running: Promise<Stack> | undefined;
  private alone: Servers | undefined;

  constructor(
    readonly options: { scenario: string; seconds: number; rows: number | null; profile: boolean },
    readonly say: (line: string) => void,
  ) {}

  /** Where it keeps everything while it runs. */
  readonly dir = dir;

  /** Called before the stack ends. */
  atEnd(ending: () => Promise<void>): void {
    this.endings.push(ending);
  }

  /** Of the servers in use; the scenario has started them. */
  async addresses(): Promise<{ databaseUrl: string; amqpUrl: string }> {
    return this.alone ?? (await this.stack()).file;
  }

  /** The whole stack, on a Postgres that waits for the disk as it does under `npm start`. */
  stack(replicas: StackOptions['replicas'] = {}): Promise<Stack> {
    return (this.running ??= this.startStack(replicas));
  }

  /** The servers alone, without any service. */
  async servers(): Promise<Servers> {
    mkdirSync(dir, { recursive: true });
    const secrets = loadSecrets(dir, serviceNames);
    const { postgres, rabbitmq } = await acquireInfra({
      dir,
      ports: new PortBook(path.join(dir, 'ports.json')),
      ephemeral: false,
      postgresPassword: secrets.postgresPassword,
      given: {},
      say: this.say,
    });
    this.endings.push(() => Promise.all([postgres.stop(), rabbitmq.stop()]).then(() => undefined));
    await Promise.all([postgres.start(), rabbitmq.start()]);
    return (this.alone = {
      databaseUrl: postgres.url,
      amqpUrl: rabbitmq.url,
      watched: watchedServers(postgres.pid(), rabbitmq.pid()),
    });
  }

  async watchedServers(): Promise<Servers['watched']> {
    const { infra } = (await this.stack()).file;
    return watchedServers(infra.postgres.pid, infra.rabbitmq.pid);
  }

  /** A process of the stack. */
  async watchedService(name: (typeof serviceNames)[number]): Promise<Watched> {
    return { name, pid: (await this.stack()).file.services[name].pid ?? 0 };
  }

  /** All processes of a service. */
  async watchedCopies(name: (typeof serviceNames)[number]): Promise<Watched[]> {
    const { services, replicas } = (await this.stack()).file;
    return [services[name], ...(replicas[name] ?? [])].map(({ pid }, index) => ({
      name: index === 0 ? name : `${name} ${index + 1}`,
      pid: pid ?? 0,
    }));
  }

  /** URL of the stack's database for the role of a service. */
  async databaseUrlOf(service: string): Promise<string> {
    const url = new URL((await this.stack()).file.databaseUrl);
    url.username = serviceRoles.find((entry) => entry.service === service)?.role ?? '';
    url.password = loadSecrets(dir, serviceNames).rolePasswords[service] ?? '';
    return url.href;
  }

  /**
   * Gathers the planner's statistics, as autovacuum does within a minute: plans that were made for empty tables are made
   * anew.
   */
  async analyze(): Promise<void> {
    const { databaseUrl } = await this.addresses();
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('analyze');
    await client.end();
  }

  /** Starts `processes/<file>.ts`. */
  async child<A>(file: string, name: string = file): Promise<Child<A>> {
    const child = await startChild<A>(file, name, this.profileOptions());
    this.endings.push(() => child.stop());
    return child;
  }

  /** Ends every process and removes what they kept, but for the profiles. */
  async end(): Promise<void> {
    for (const ending of this.endings.reverse())
      await ending().catch((error: Error) => this.say(error.message));
    if (this.running) await this.running.then((stack) => stack.stop()).catch(() => undefined);
    forget();
  }

  private async startStack(replicas: NonNullable<StackOptions['replicas']>): Promise<Stack> {
    const options = this.profileOptions().join(' ');
    const env = Object.fromEntries(
      serviceNames.map((name) => [name, options === '' ? {} : { NODE_OPTIONS: options }]),
    );
    this.say('Starting a private stack …');
    return startStack({ dir, env, replicas, say: this.say, prepare: buildApps });
  }

  /** Node writes the CPU profile of a process when it ends, named by its process id. */
  private profileOptions(): string[] {
    const folder = path.join(profilesDir, this.options.scenario);
    return this.options.profile ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  }
}

function watchedServers(postgres: number | null, rabbitmq: number | null): Servers['watched'] {
  if (postgres === null || rabbitmq === null) throw new SetupError('The servers are not processes of ours.');
  return {
    postgres: { name: 'postgres', pid: postgres, tree: true },
    rabbitmq: { name: 'rabbitmq', pid: rabbitmq, tree: true },
  };
}

/** Ends and removes what a bench that was killed has left. */
export async function endLeftovers(): Promise<void> {
  mkdirSync(path.join(dir, 'run'), { recursive: true });
  await endLeftoverServices(dir);
  await Promise.all(livingServers(dir).map((server) => server.stop()));
  forget();
}

/** Data, logs and secrets of the bench; the profiles stay. */
function forget(): void {
  if (!existsSync(dir)) return;
  rmSync(serverHome(dir).dir, { recursive: true, force: true });
  for (const name of ['run', 'logs', 'ports.json', 'secrets.json', 'tenants.json', 'stack.json']) {
    rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}
