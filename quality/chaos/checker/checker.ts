import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@canvass/messaging';
import { Records, type FaultRecord, type Outcome } from '../records';
import { compare, type Verdict } from '../verdict/compare';
import { Driver, type DriverOptions } from './driver';
import { Forms } from './forms';
import { startLists } from './lists';
import { waitUntilDrained } from './pending-work';
import { Receivers } from './receivers';
import { startTenantSettings } from './settings';
import { startSteadyLoad } from './steady-load';
import { readStored } from './stored';
import { Respondent, startResends, type Held } from './submissions';
import { tapEvents } from './tap';

export interface CheckerOptions extends DriverOptions {
  managementUrl: string;
  /** Clients at the same time. */
  workers: number;
  /** A killed relay's delivery that is sent again later than this is a finding; null: it is only reported. */
  longestResendMs: number | null;
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
  /** With `steady`: submissions that are started and that no client changes. */
  started: Held[] = [];
  private tap: Broker | undefined;

  constructor(private readonly options: CheckerOptions) {
    this.driver = new Driver(options, this.records);
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
    if (options.steady) {
      this.started = await startSteadyLoad(driver, urlOf, workers);
      return;
    }
    const listIds = await startLists(driver);
    await startTenantSettings(driver, stack.demo.tenantId, urlOf);
    const forms = new Forms(driver, urlOf, listIds);
    for (let worker = 1; worker <= formWorkers; worker++) await forms.start(worker);
    startResends(driver, records.resends);
    for (let worker = 1; worker <= workers; worker++) {
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
  async stop(): Promise<void> {
    await this.driver.stop();
  }

  /** Waits until all work is done, then compares. */
  async compare(faults: FaultRecord[]): Promise<Verdict> {
    const { stack, managementUrl, longestResendMs } = this.options;
    const drained = await waitUntilDrained(stack.databaseUrl, managementUrl);
    const stored = await readStored(stack.databaseUrl, faults);
    await sleep(500); // The receivers are still recording their last answers.
    return compare({ ...this.records, ...drained, stored, faults, longestResendMs });
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
    await this.driver.stop();
    await this.tap?.close();
    await this.receivers?.close();
  }
}
