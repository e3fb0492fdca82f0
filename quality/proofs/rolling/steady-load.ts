import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, login, type Api } from '@canvass/testing';

/** A request; `expected` is the only good status. */
export interface Operation {
  name: string;
  expected: number;
  send(): Promise<{ error?: unknown; response: Response }>;
}

export interface Failure {
  operation: string;
  reason: string;
  /** The process that was being restarted. */
  during: string;
}

/** Operations one after the other, in several lanes, with a short pause between two requests of a lane. */
export class SteadyLoad {
  readonly counts = new Map<string, number>();
  readonly failures: Failure[] = [];
  during = 'nothing';
  private ending = false;
  private lanes: Promise<void>[] = [];

  constructor(private readonly operations: readonly Operation[]) {}

  start(lanes: number, pauseMs: number): void {
    this.lanes = Array.from({ length: lanes }, (_, lane) => this.lane(lane, pauseMs));
  }

  async stop(): Promise<void> {
    this.ending = true;
    await Promise.all(this.lanes);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  private async lane(offset: number, pauseMs: number): Promise<void> {
    for (let next = offset; !this.ending; next += 1) {
      const operation = this.operations[next % this.operations.length]!;
      const { during } = this;
      const reason = await failureOf(operation);
      this.counts.set(operation.name, (this.counts.get(operation.name) ?? 0) + 1);
      if (reason !== null) this.failures.push({ operation: operation.name, reason, during });
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

export const creating = 'create a completed submission';

/** Reads and writes of every service. No write has a key that would let the gateway repeat it. */
export async function operationsOf(
  clientOf: (token?: string) => Api,
  gatewayUrl: string,
  { adminEmail, adminPassword }: { adminEmail: string; adminPassword: string },
  webHookSettingsJson: string,
): Promise<Operation[]> {
  const anonymous = clientOf();
  const admin = clientOf(await login(gatewayUrl, adminEmail, adminPassword));
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
