import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@canvass/messaging';
import { Records, type Outcome } from '../records';
import { compare, type Verdict } from '../verdict/compare';
import { Driver, type DriverOptions } from './driver';
import { Forms } from './forms';
import { startLists } from './lists';
import { waitUntilDrained } from './drained';
import { endpointCount, pathOf, Receivers } from './receivers';
import { startTenantSettings } from './settings';
import { readStored } from './stored';
import { Respondent } from './submissions';
import { tapEvents } from './tap';

export interface CheckerOptions extends DriverOptions {
  managementUrl: string;
  /** Clients at the same time. */
  workers: number;
}

const formWorkers = 2;
const renewSignInMs = 180_000;

/**
 * Drives changes through the gateway, receives the webhooks, consumes all events, and records all of it. At
 * the end it compares the records with what the services hold.
 */
export class Checker {
  readonly records = new Records();
  readonly driver: Driver;
  receivers!: Receivers;
  private tap: Broker | undefined;

  constructor(private readonly options: CheckerOptions) {
    this.driver = new Driver(options, this.records);
  }

  /** Resolves when the entities to change exist and the clients are running. */
  async start(): Promise<void> {
    const { driver, records, options } = this;
    const receivers = (this.receivers = await Receivers.listen((hook) => records.hooks.push(hook)));
    this.tap = await tapEvents(options.stack.amqpUrl, (event) => records.events.push(event));
    await driver.signIn();
    driver.repeat(renewSignInMs, () => driver.signIn());
    const urls = Array.from({ length: endpointCount }, (_, n) => receivers.urlOf(pathOf(n)));
    const listIds = await startLists(driver);
    await startTenantSettings(driver, urls);
    const forms = new Forms(driver, urls, listIds);
    for (let worker = 1; worker <= formWorkers; worker++) await forms.start(worker);
    for (let worker = 1; worker <= options.workers; worker++) {
      const respondent = new Respondent(driver, (random) => forms.pick(random), worker);
      driver.repeat(0, () => respondent.turn());
    }
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
  stop(): Promise<void> {
    return this.driver.stop();
  }

  /** Waits until all work is done, then compares. */
  async compare(): Promise<Verdict> {
    const { stack, managementUrl } = this.options;
    const drained = await waitUntilDrained(stack.databaseUrl, managementUrl);
    const stored = await readStored(stack.databaseUrl);
    await sleep(500); // The receivers are still recording their last answers.
    return compare({ ...this.records, ...drained, stored });
  }

  /** Writes the records to files of JSON lines. */
  write(dir: string): void {
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
