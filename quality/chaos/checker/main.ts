/**
 * The checker: a process of its own that drives changes through the gateway, receives the webhooks, listens to all
 * events, and keeps its own record of it all. At the end it compares the record with what the services hold.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from '../verdict/compare';
import { DataLists } from './lists';
import { Driver } from './driver';
import { Forms } from './forms';
import { GatewayClient } from './gateway-client';
import { Journal } from './journal';
import type { CheckerSetting } from './checker-setting';
import type { CheckerAnswer, CheckerOrder } from './protocol';
import { awaitQuiet } from './quiet';
import { Receivers } from './receivers';
import { resendNow } from './resends';
import { respond } from './respondents';
import { readStored } from './stored';
import { Tap } from './tap';
import { keepTenantSettings } from './tenant';

const formWorkers = 2;
const renewSignInMs = 180_000;

class Checker {
  private readonly journal: Journal;
  private readonly receivers: Receivers;
  private readonly tap: Tap;
  private readonly driver: Driver;
  private readonly work: Promise<void>[] = [];

  constructor(private readonly setting: CheckerSetting) {
    this.journal = new Journal(setting.dir);
    this.receivers = new Receivers((hook) => this.journal.hooks.add(hook));
    this.tap = new Tap(setting.amqpUrl, (event) => this.journal.events.add(event));
    const client = new GatewayClient(setting.gatewayUrl, setting, setting.workers + 8);
    this.driver = new Driver(client, this.journal, setting.seed, setting.targetRate);
  }

  /** Everything there is to change is there, and the workers are at it. */
  async begin(): Promise<void> {
    const { driver, receivers, setting } = this;
    await receivers.listen();
    await this.tap.start();
    const signIn = () => driver.client.signIn(driver.stopping.signal);
    await signIn();
    const urlOf = (path: string) => receivers.urlOf(path);
    const lists = new DataLists(driver);
    await lists.prepare();
    const changeTenant = await keepTenantSettings(driver, setting.tenantId, urlOf);
    const forms = new Forms({ driver, urlOf, lists: () => lists.ids });
    for (let worker = 1; worker <= formWorkers; worker++) this.work.push((await forms.prepare(worker))());
    this.work.push(changeTenant(), lists.run(), resendNow(driver), this.renew(signIn));
    for (let worker = 1; worker <= setting.workers; worker++) this.work.push(respond(driver, forms, worker));
  }

  receiver(endpoint: number, how: 'well' | 'fail' | 'hang' | 'drip'): void {
    this.receivers.become(endpoint, how);
  }

  progress(): CheckerAnswer {
    const { acknowledged, refused, unknown } = this.driver.counts;
    const [deliveries, events] = [this.journal.hooks.entries.length, this.journal.events.entries.length];
    return { answer: 'progress', acknowledged, refused, unknown, deliveries, events };
  }

  async cease(): Promise<void> {
    this.driver.stopping.abort();
    await Promise.all(this.work);
  }

  async compare(faults: Extract<CheckerOrder, { order: 'compare' }>['faults']): Promise<CheckerAnswer> {
    const { journal, setting } = this;
    const ceasedAt = Date.now();
    const quiet = await awaitQuiet(setting);
    const stored = await readStored(setting, faults);
    await sleep(500); // the last answers of receivers are on their way into the record
    const verdict = compare({
      changes: journal.changes.entries,
      hooks: journal.hooks.entries,
      events: journal.events.entries,
      stored,
      faults,
      quiet,
      ceasedAt,
      resends: journal.resends.entries,
      longestResendMs: setting.longestResendMs,
    });
    return { answer: 'verdict', verdict };
  }

  async close(): Promise<void> {
    await this.tap.stop();
    await Promise.all([this.receivers.close(), this.driver.client.close()]);
    await this.journal.close();
  }

  private async renew(signIn: () => Promise<void>): Promise<void> {
    while (!this.driver.stopped) {
      await this.driver.pause(renewSignInMs);
      if (!this.driver.stopped) await signIn();
    }
  }
}

let checker: Checker | undefined;

async function obey(order: CheckerOrder): Promise<CheckerAnswer | null> {
  if (order.order === 'begin') {
    checker = new Checker(order.setting);
    await checker.begin();
    return { answer: 'begun' };
  }
  if (!checker) throw new Error('the checker has not begun');
  switch (order.order) {
    case 'receiver':
      checker.receiver(order.endpoint, order.how);
      return null;
    case 'progress':
      return checker.progress();
    case 'cease':
      await checker.cease();
      return { answer: 'ceased' };
    case 'compare':
      return checker.compare(order.faults);
  }
}

process.on('message', (order: CheckerOrder) => {
  obey(order).then(
    (answer) => answer && process.send?.(answer),
    (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ answer: 'failed', reason } satisfies CheckerAnswer);
    },
  );
});
// The harness is gone: nobody will ask any more.
process.on('disconnect', () => {
  void (checker?.close() ?? Promise.resolve()).finally(() => process.exit(0));
});
