import path from 'node:path';
import { buildApps, loadSecrets, roleUrl, serviceNames, startStack, type Stack } from '@canvass/stack';
import { clientOf, login, type Client } from '@canvass/testing';
import { Client as Postgres } from 'pg';
import type { EarlierBuild } from '../earlier-build';
import { memoryOf } from '../proofs/private-stack';
import { startChild, type Child } from '../child';
import type { Report } from './report';

/** A measurement that the record describes. */
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
}

/** What a scenario runs in: a private stack, and processes of its own. `end` stops all. */
export class Bench {
  private readonly endings: (() => Promise<unknown>)[] = [];
  private running: Promise<Stack> | undefined;

  /**
   * @param dir where the stack keeps its files
   * @param build whose services are measured; null for this checkout
   */
  constructor(
    readonly dir: string,
    readonly options: Options,
    readonly build: EarlierBuild | null = null,
  ) {}

  /** Registers what `end` calls before it stops the stack. */
  atEnd(ending: () => Promise<unknown>): void {
    this.endings.unshift(ending);
  }

  /** The whole stack, on a Postgres that waits for the disk as it does under `npm start`. */
  stack(): Promise<Stack> {
    const { build, dir } = this;
    const programs =
      build && serviceNames.map((name) => [name, path.join(build.bundleOf(name), 'main.js')] as const);
    return (this.running ??= startStack({
      dir,
      ...(programs === null ? {} : { programs: Object.fromEntries(programs) }),
      say: console.log,
      prepare: buildApps,
    }));
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

  /** A connection, closed at the end. Without a URL it is the superuser's. */
  async database(url?: string): Promise<Postgres> {
    const connectionString = url ?? (await this.stack()).file.databaseUrl;
    const client = new Postgres({ connectionString, statement_timeout: 0 });
    client.on('error', () => undefined);
    await client.connect();
    this.atEnd(() => client.end());
    return client;
  }

  /** Updates the planner's statistics, as autovacuum does within a minute: plans for empty tables are replaced. */
  async analyze(): Promise<void> {
    await (await this.database()).query('analyze');
  }

  /** Starts `processes/<file>.ts`. @param ofBuild that of the measured build, because it runs product code */
  async child<A>(file: string, ofBuild = false): Promise<Child<A>> {
    const checkout = ofBuild ? this.build?.dir : undefined;
    const child = await startChild<A>(`bench/processes/${file}`, checkout);
    this.atEnd(() => child.stop());
    return child;
  }

  /** Resident megabytes of a service of the stack. */
  async memoryOf(service: (typeof serviceNames)[number]): Promise<number> {
    return memoryOf((await this.stack()).file.services[service].pid);
  }

  /** Stops every process. */
  async end(): Promise<void> {
    for (const ending of this.endings.splice(0)) await ending().catch(console.error);
    await this.running?.then((stack) => stack.stop()).catch(() => undefined);
  }
}
