import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@canvass/messaging';
import { Records, type FaultRecord, type Outcome } from '../records';
import { compare, type Verdict } from '../verdict/compare';
import { Driver, type DriverOptions } from './driver';
import { Forms } from './forms';
import { DataLists } from './lists';
import { waitUntilDrained } from './pending-work';
import { Receivers } from './receivers';
import { keepTenantSettings } from './settings';
import { SteadyLoad } from './steady-load';
import { readStored } from './stored';
import { resendDeliveries, Respondent, type Held } from './submissions';
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
  private readonly work: Promise<void>[] = [];

  constructor(private readonly options: CheckerOptions) {
    this.driver = new Driver(options, this.records);
  }

  /** Resolves when the entities to change exist and the clients are running. */
  async start(): Promise<void> {
    const { driver, records, options } = this;
    const receivers = (this.receivers = await Receivers.listen((hook) => records.hooks.push(hook)));
    this.tap = await tapEvents(options.stack.amqpUrl, (event) => records.events.push(event));
    await driver.signIn();
    const urlOf = receivers.urlOf.bind(receivers);
    if (options.steady) {
      const load = new SteadyLoad(driver);
      this.started = await load.prepare(urlOf);
      this.startWorkers(() => load.run());
    } else {
      const lists = new DataLists(driver);
      await lists.prepare();
      const changeTenant = await keepTenantSettings(driver, options.stack.demo.tenantId, urlOf);
      const forms = new Forms(driver, urlOf, lists.ids);
      for (let worker = 1; worker <= formWorkers; worker++) this.work.push((await forms.prepare(worker))());
      this.work.push(changeTenant(), lists.run(), resendDeliveries(driver, records.resends));
      this.startWorkers((worker) => new Respondent(driver, forms, worker).run());
    }
    this.work.push(this.renewSignIn());
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
    this.driver.stop();
    await Promise.all(this.work);
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
    this.driver.stop();
    await this.tap?.close();
    await this.receivers?.close();
  }

  private startWorkers(run: (worker: number) => Promise<void>): void {
    for (let worker = 1; worker <= this.options.workers; worker++) this.work.push(run(worker));
  }

  private async renewSignIn(): Promise<void> {
    while (!this.driver.stopped) {
      await this.driver.pause(renewSignInMs);
      if (!this.driver.stopped) await this.driver.signIn();
    }
  }
}
