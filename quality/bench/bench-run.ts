import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Every process that can be profiled, with the file its profile goes to. */
  private readonly profiled: { name: string; pid: () => number | null; file: string }[] = [];
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
    const profile = this.options.profile ? this.profileFile(name) : null;
    const child = await startChild<A>(file, name, profile);
    this.endings.push(() => child.stop());
    if (profile !== null) this.profiled.push({ name, pid: () => child.pid, file: profile });
    return child;
  }

  /** Begins or ends the CPU profile of every process; gives the files that were written. */
  async toggleProfiles(): Promise<{ name: string; file: string }[]> {
    for (const { pid } of this.profiled) {
      const id = pid();
      if (id !== null) process.kill(id, 'SIGUSR2');
    }
    return this.profiled;
  }

  /** Waits until the profiles are on disk. */
  async profilesWritten(): Promise<{ name: string; file: string }[]> {
    await this.toggleProfiles();
    const deadline = Date.now() + 20_000;
    while (this.profiled.some(({ file }) => !existsSync(file)) && Date.now() < deadline) await sleep(100);
    return this.profiled.filter(({ file }) => existsSync(file));
  }

  /** Ends every process and removes what they kept, but for the profiles. */
  async end(): Promise<void> {
    for (const ending of this.endings.reverse())
      await ending().catch((error: Error) => this.say(error.message));
    if (this.running) await this.running.then((stack) => stack.stop()).catch(() => undefined);
    forget();
  }

  private async startStack(replicas: NonNullable<StackOptions['replicas']>): Promise<Stack> {
    const env = this.options.profile
      ? Object.fromEntries(
          serviceNames.map((name) => [
            name,
            {
              NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'profiler.cjs'))}`,
              BENCH_PROFILE: this.profileFile(name),
            },
          ]),
        )
      : {};
    this.say('Starting a private stack …');
    const stack = await startStack({ dir, env, replicas, say: this.say, prepare: buildApps });
    if (this.options.profile) {
      for (const name of serviceNames) {
        const pid = () => stack.file.services[name].pid;
        this.profiled.push({ name, pid, file: this.profileFile(name) });
      }
    }
    return stack;
  }

  private profileFile(name: string): string {
    const folder = path.join(profilesDir, this.options.scenario);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${name}.cpuprofile`);
    rmSync(file, { force: true });
    return file;
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
