import { acquireInfra, localDir, PortBook } from '@canvass/infra';
import {
  buildApps,
  loadSecrets,
  ownerUrl,
  roleUrl,
  serviceNames,
  startStack,
  type Stack,
} from '@canvass/stack';
import { clientOf, login, type Client } from '@canvass/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client as Postgres } from 'pg';
import { startChild, type Child } from './child';
import type { Report } from './report';

/** A measurement that docs/benchmarks.md records. */
export interface Scenario {
  name: string;
  title: string;
  /** What is measured, for the reader of the record. */
  about: string;
  run(bench: Bench): Promise<Report>;
}

export interface Options {
  /** Measured seconds of each variant, over all its rounds. */
  seconds: number;
  /** Rows of the scenarios about a large table; null for the number that the scenario is about. */
  rows: number | null;
  /** Copies of every service of the stack. */
  replicas: number;
  /** Completed submissions per second. */
  rate: number;
  profile: boolean;
}

/** Postgres and RabbitMQ, with the superuser's URL of the database. */
type Servers = Pick<Stack['file'], 'databaseUrl' | 'amqpUrl' | 'infra'>;

/**
 * What a scenario runs in: a private stack or its servers alone, and processes of its own. `end` stops all.
 */
export class Bench {
  private readonly endings: (() => Promise<unknown>)[] = [];
  private running: Promise<Stack> | undefined;
  private alone: Promise<Servers> | undefined;

  /** @param dir where the stack keeps its files */
  constructor(
    readonly dir: string,
    readonly options: Options,
  ) {}

  /** Registers what `end` calls before it stops the stack. */
  atEnd(ending: () => Promise<unknown>): void {
    this.endings.unshift(ending);
  }

  /** The whole stack, on a Postgres that waits for the disk as it does under `npm start`. */
  stack(): Promise<Stack> {
    const nodeArgs = this.profileOptions();
    const replicas = Object.fromEntries(serviceNames.map((name) => [name, this.options.replicas]));
    return (this.running ??= startStack({
      dir: this.dir,
      nodeArgs,
      replicas,
      say: console.log,
      prepare: buildApps,
    }));
  }

  /** Those of the stack if it runs, else servers without services. */
  async servers(): Promise<Servers> {
    return this.running ? (await this.running).file : (this.alone ??= this.serversAlone());
  }

  /** A client of the demo tenant's administrator. */
  async client(): Promise<Client & { token: string }> {
    const { gatewayUrl, demo } = (await this.stack()).file;
    const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
    return { ...clientOf(gatewayUrl, token), token };
  }

  /** URL of the stack's database for the role of a service. */
  async databaseUrlOf(service: string): Promise<string> {
    return roleUrl((await this.stack()).file.databaseUrl, service, loadSecrets(this.dir, serviceNames))!;
  }

  /** URL of the stack's database for the role that owns the schema of a service. */
  async ownerUrlOf(service: string): Promise<string> {
    return ownerUrl((await this.stack()).file.databaseUrl, service, loadSecrets(this.dir, serviceNames))!;
  }

  /** A connection, closed at the end. Without a URL it is the superuser's. */
  async database(url?: string): Promise<Postgres> {
    const connectionString = url ?? (await this.servers()).databaseUrl;
    const client = new Postgres({ connectionString, statement_timeout: 0 });
    client.on('error', () => undefined);
    await client.connect();
    this.atEnd(() => client.end());
    return client;
  }

  /** Starts `processes/<file>.ts`. */
  async child<A>(file: string): Promise<Child<A>> {
    const child = await startChild<A>(file, this.profileOptions());
    this.atEnd(() => child.stop());
    return child;
  }

  /** Stops every process. */
  async end(): Promise<void> {
    for (const ending of this.endings.splice(0)) await ending().catch(console.error);
    await this.running?.then((stack) => stack.stop()).catch(() => undefined);
  }

  private async serversAlone(): Promise<Servers> {
    const { dir } = this;
    const { postgres, rabbitmq } = await acquireInfra({
      dir,
      ports: new PortBook(path.join(dir, 'ports.json')),
      ephemeral: false,
      postgresPassword: loadSecrets(dir, serviceNames).postgresPassword,
      given: {},
      say: console.log,
    });
    this.atEnd(() => Promise.all([postgres.stop(), rabbitmq.stop()]));
    await Promise.all([postgres.start(), rabbitmq.start()]);
    return {
      databaseUrl: postgres.url,
      amqpUrl: rabbitmq.url,
      infra: { postgres: { pid: postgres.pid() }, rabbitmq: { pid: rabbitmq.pid() } },
    };
  }

  /** Node writes the CPU profile of a process when it ends, named by its process id. */
  private profileOptions(): string[] {
    return this.options.profile
      ? ['--cpu-prof', `--cpu-prof-dir=${path.join(localDir, 'bench/profiles')}`]
      : [];
  }
}

/** The processes of a stack whose most resident memory is watched; `most` gives megabytes by service. */
export function watchMemory(stack: Stack, services: readonly (typeof serviceNames)[number][]) {
  const peaks = new Map<string, number>(services.map((name) => [name, 0]));
  const look = () => {
    for (const name of services)
      peaks.set(name, Math.max(peaks.get(name)!, residentMb(stack.file.services[name].pid)));
  };
  const timer = setInterval(look, 50);
  return {
    /** The most since the start or the last call. */
    most(): Map<string, number> {
      look();
      const found = new Map(peaks);
      for (const name of services) peaks.set(name, 0);
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

/** Resident memory of a process in megabytes, from /proc; 0 for a process that does not run. */
export function residentMb(pid: number | null): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
