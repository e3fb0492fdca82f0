import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@canvass/messaging';
import { Records, type FaultRecord, type Outcome } from '../records';
import { compare, type Verdict } from '../verdict/compare';
import type { Demand } from '../verdict/evidence';
import { countOutOfMemory } from '../verdict/reached';
import { Driver, type DriverOptions } from './driver';
import { Forms } from './forms';
import { startLists } from './lists';
import { waitUntilDrained } from './drained';
import { endpointCount, otherEndpointCount, pathOf, Receivers } from './receivers';
import { startTenantSettings, type Receiving } from './settings';
import { readStored } from './stored';
import { Respondent } from './submissions';
import { tapEvents } from './tap';

export interface CheckerOptions extends DriverOptions {
  managementUrl: string;
  /** Clients at the same time. */
  workers: number;
  /** Folder of the logs of the services. */
  logs: string;
  demand: Demand;
}

const formWorkers = 2;
/** Clients and rate of the other tenant. */
const otherShare = 0.2;
const renewSignInMs = 180_000;

/** Creates lists, forms and settings of a tenant, and starts the clients that change and answer them. */
async function startRandomLoad(
  driver: Driver,
  receiving: Receiving,
  clients: { forms: number; respondents: number },
): Promise<void> {
  const listIds = await startLists(driver);
  await startTenantSettings(driver, receiving);
  const forms = new Forms(driver, receiving, listIds);
  for (let worker = 1; worker <= clients.forms; worker++) await forms.start(worker);
  for (let worker = 1; worker <= clients.respondents; worker++) {
    const respondent = new Respondent(driver, (random) => forms.pick(random), worker);
    driver.repeat(0, () => respondent.turn());
  }
}

const paths = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => pathOf(first + n));

/**
 * Drives changes through the gateway, receives the webhooks, consumes all events, and records all of it. At
 * the end it compares the records with what the services hold.
 */
export class Checker {
  readonly records = new Records();
  readonly driver: Driver;
  /** Of another tenant, with fewer clients. */
  private readonly other: Driver;
  receivers!: Receivers;
  private tap: Broker | undefined;

  constructor(private readonly options: CheckerOptions) {
    const { stack, seed, rate } = options;
    this.driver = new Driver(options, this.records);
    const demo = { ...stack.demo, ...stack.demo.otherTenant };
    const ofOther = { ...options, stack: { ...stack, demo }, seed: `${seed}-other`, rate: rate * otherShare };
    this.other = new Driver(ofOther, this.records);
  }

  /** Resolves when the entities to change exist and the clients are running. */
  async start(): Promise<void> {
    const { driver, records, options } = this;
    const { stack, workers } = options;
    const receivers = (this.receivers = await Receivers.listen((hook) => records.hooks.push(hook)));
    this.tap = await tapEvents(stack.amqpUrl, (event) => records.events.push(event));
    await driver.signIn();
    driver.repeat(renewSignInMs, () => driver.signIn());
    const urlOf = receivers.urlOf.bind(receivers);
    const own = { paths: paths(0, endpointCount), urlOf };
    await startRandomLoad(driver, own, { forms: formWorkers, respondents: workers });
    const { other } = this;
    await other.signIn();
    other.repeat(renewSignInMs, () => other.signIn());
    const others = { paths: paths(endpointCount, otherEndpointCount), urlOf };
    const few = { forms: 1, respondents: Math.ceil(workers * otherShare) };
    await startRandomLoad(other, others, few);
  }

  /** One line for a reader. */
  progress(seconds: number): string {
    const { changes, events, hooks } = this.records;
    const count = (wanted: Outcome) => changes.filter(({ outcome }) => outcome === wanted).length;
    const acknowledged = count('acknowledged');
    return (
      `${acknowledged} changes acknowledged (${(acknowledged / seconds).toFixed(0)}/s), ` +
      `${count('refused')} refused, ${count('unknown')} unknown; ${events.length} events, ${hooks.length} deliveries`
    );
  }

  /** No further changes; resolves when those in progress are answered. */
  async stop(): Promise<void> {
    await Promise.all([this.driver.stop(), this.other.stop()]);
  }

  /** Waits until all work is done, then compares. */
  async compare(faults: FaultRecord[]): Promise<Verdict> {
    const { stack, managementUrl, logs, demand } = this.options;
    const drained = await waitUntilDrained(stack.databaseUrl, managementUrl);
    const stored = await readStored(stack.databaseUrl);
    await sleep(500); // The receivers are still recording their last answers.
    return compare({
      ...this.records,
      ...drained,
      stored,
      outOfMemory: await countOutOfMemory(logs),
      faults,
      demand,
    });
  }

  /** Writes the records to files of JSON lines. */
  write(dir: string): void {
    mkdirSync(dir, { recursive: true });
    for (const [name, list] of Object.entries(this.records) as [string, object[]][]) {
      const lines = list.map((each) => `${JSON.stringify(each)}\n`);
      writeFileSync(path.join(dir, `${name}.jsonl`), lines.join(''));
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await this.tap?.close();
    await this.receivers?.close();
  }
}
