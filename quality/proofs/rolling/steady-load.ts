import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@canvass/stack';
import { dataOf, eventually, login, webhookSink, type Api, type WebhookSink } from '@canvass/testing';
import { hooksTo } from '../private-stack';
import { Balancer } from './balancer';

/** A request; `expected` is the only good status. */
interface Operation {
  name: string;
  expected: number;
  send(): Promise<{ error?: unknown; response: Response }>;
}

/** Clients at the same time and their pause between two requests: no more load than two cores can take. */
const [laneCount, pauseMs] = [6, 30];
/** Of each operation, before the first restart. */
const warmUps = 5;
const maxPrinted = 20;
const creating = 'create a completed submission';

/**
 * Clients of all gateways of a stack, with operations one after the other in several lanes and a pause between two
 * requests, and the receiver of its webhooks.
 */
export class SteadyLoad {
  private readonly counts = new Map<string, number>();
  private readonly failures: string[] = [];
  private during = 'nothing';
  private ending = false;
  private badExits = 0;
  private lanes: Promise<void>[] = [];

  private constructor(
    private readonly stack: Stack,
    private readonly balancer: Balancer,
    private readonly sink: WebhookSink,
    private readonly operations: readonly Operation[],
  ) {}

  static async on(stack: Stack): Promise<SteadyLoad> {
    const { gatewayUrl, replicas, demo } = stack.file;
    const balancer = new Balancer([gatewayUrl, ...(replicas.gateway ?? []).map(({ url }) => url)]);
    const sink = await webhookSink();
    const token = await login(gatewayUrl, demo.adminEmail, demo.adminPassword);
    const clients = [balancer.client(), balancer.client(token)] as const;
    return new SteadyLoad(stack, balancer, sink, await operationsOf(...clients, hooksTo(`${sink.url}/hook`)));
  }

  private get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves when every replica has verified a token: a new one cannot while that with the keys is restarted. */
  async start(): Promise<void> {
    this.lanes = Array.from({ length: laneCount }, (_, offset) => this.lane(offset));
    const isWarm = () => this.operations.every(({ name }) => (this.counts.get(name) ?? 0) >= warmUps);
    await eventually(isWarm, { timeoutMs: 120_000 });
  }

  /** Restarts a process of the stack, and prints how it ended and what was sent meanwhile. */
  async restart(name: string, maxSeconds = Infinity): Promise<void> {
    this.during = name;
    const before = this.total;
    const { exitCode, seconds } = await this.stack.restart(name);
    await sleep(1_000); // the new process gets requests before the next one stops
    if (exitCode !== 0 || seconds > maxSeconds) this.badExits += 1;
    const meanwhile = `${this.total - before} requests meanwhile`;
    console.log(`  ${name.padEnd(20)} exited with ${exitCode} after ${seconds.toFixed(1)} s; ${meanwhile}`);
  }

  /**
   * Ends the load and waits for its deliveries. Returns whether no request failed, every process ended well and every
   * completed submission was delivered.
   */
  async holds(): Promise<boolean> {
    this.ending = true;
    await Promise.all(this.lanes);
    for (const failure of this.failures.slice(0, maxPrinted)) console.log(`    FAILED ${failure}`);
    const expected = this.counts.get(creating) ?? 0;
    const delivered = () => new Set(this.sink.requests.map(({ headers }) => headers['webhook-id'])).size;
    // A create that failed counts as one, but the proof has failed then.
    await eventually(() => delivered() >= expected, { timeoutMs: 60_000 }).catch(() => undefined);
    console.log(
      `${this.total} requests, ${this.failures.length} failed, ${this.balancer.refused} sent to the other gateway; ` +
        `${delivered()} of ${expected} completed submissions delivered; ${this.badExits} bad exits`,
    );
    return this.failures.length + this.badExits === 0 && delivered() >= expected;
  }

  async close(): Promise<void> {
    await this.balancer.close();
    await this.sink.close();
  }

  private async lane(offset: number): Promise<void> {
    const { operations } = this;
    for (let next = offset; !this.ending; next += 1) {
      const operation = operations[next % operations.length]!;
      const { name } = operation;
      const { during } = this;
      const reason = await failureOf(operation);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      if (reason !== null) this.failures.push(`(while ${during} was restarted): ${name}: ${reason}`);
      await sleep(pauseMs);
    }
  }
}

async function failureOf({ send, expected }: Operation): Promise<string | null> {
  try {
    const { error, response } = await send();
    return response.status === expected ? null : `${response.status} ${JSON.stringify(error).slice(0, 300)}`;
  } catch (error) {
    return `${String(error)} ${String((error as Error).cause ?? '')}`;
  }
}

/** Reads and writes of every service. No write has a key that would let the gateway repeat it. */
async function operationsOf(anonymous: Api, admin: Api, webHookSettingsJson: string): Promise<Operation[]> {
  const listBody = { name: 'Rolling', defaultLocale: 'en' };
  const { id } = await dataOf(admin.POST('/api/data-lists', { body: listBody }));
  const formBody = { name: 'Rolling', isEnabled: true, dataListIds: [id], webHookSettingsJson };
  const { id: formId } = await dataOf(admin.POST('/api/forms', { body: formBody }));
  const items = [{ value: 'a', labels: { default: 'A' } }];
  const [ofForm, ofList] = [{ path: { formId } }, { path: { id } }];
  let accounts = 0;
  const operation = (name: string, expected: number, send: Operation['send']) => ({ name, expected, send });
  return [
    operation(creating, 201, () =>
      anonymous.POST('/api/forms/{formId}/submissions', { params: ofForm, body: { isComplete: true } }),
    ),
    operation('read a form', 200, () => admin.GET('/api/forms/{formId}', { params: ofForm })),
    operation('list submissions', 200, () =>
      admin.GET('/api/forms/{formId}/submissions', { params: { ...ofForm, query: { limit: 5 } } }),
    ),
    operation('import a data list', 200, () =>
      admin.PUT('/api/data-lists/{id}/import', { params: ofList, body: { items } }),
    ),
    operation('read a data list', 200, () => admin.GET('/api/data-lists/{id}', { params: ofList })),
    operation('rename a form', 200, () =>
      admin.PATCH('/api/forms/{formId}', { params: ofForm, body: { description: String(Date.now()) } }),
    ),
    operation('create a service account', 201, () =>
      admin.POST('/api/service-accounts', { body: { name: `rolling ${(accounts += 1)}` } }),
    ),
    operation('list users', 200, () => admin.GET('/api/users')),
    operation('read the delivery log', 200, () =>
      admin.GET('/api/webhooks/deliveries', { params: { query: { formId } } }),
    ),
    operation('list webhook endpoints', 200, () => admin.GET('/api/webhooks/endpoints')),
  ];
}
