import { setTimeout as sleep } from 'node:timers/promises';
import type { BalancedClient } from './balanced-client';

export interface Operation {
  name: string;
  /** Sends one request and says what it was answered; `expected` is the only good status. */
  send(): Promise<{ status: number; body: string }>;
  expected: number;
}

export interface Failure {
  operation: string;
  reason: string;
  /** Which process was being restarted. */
  during: string;
}

/** Operations one after the other, in several lanes, each with a short pause between two requests. */
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
      const reason = await this.try(operation);
      this.counts.set(operation.name, (this.counts.get(operation.name) ?? 0) + 1);
      if (reason !== null) this.failures.push({ operation: operation.name, reason, during });
      await sleep(pauseMs);
    }
  }

  private async try({ send, expected }: Operation): Promise<string | null> {
    try {
      const { status, body } = await send();
      return status === expected ? null : `${status} ${body.slice(0, 300)}`;
    } catch (error) {
      return String(error);
    }
  }
}

/** Reads and writes of every service; none of the writes carries a key that would let the gateway repeat it. */
export async function operationsOf(
  client: BalancedClient,
  login: { email: string; password: string },
  webHookSettingsJson: string,
): Promise<{ operations: Operation[]; formId: string; token: string }> {
  const must = async (expected: number, ...request: Parameters<BalancedClient['request']>) => {
    const { status, body } = await client.request(...request);
    if (status !== expected) throw new Error(`${request[0]} ${request[1]} answered ${status}: ${body}`);
    return JSON.parse(body) as Record<string, string>;
  };
  const { accessToken: token = '' } = await must(200, 'POST', '/api/auth/login', undefined, login);
  const { id: list } = await must(201, 'POST', '/api/data-lists', token, {
    name: 'Rolling',
    defaultLocale: 'en',
  });
  const form = { name: 'Rolling', isEnabled: true, dataListIds: [list], webHookSettingsJson };
  const { id: formId = '' } = await must(201, 'POST', '/api/forms', token, form);
  const items = [{ value: 'a', labels: { default: 'A' } }];
  let accounts = 0;
  const operation = (
    name: string,
    expected: number,
    request: () => Parameters<BalancedClient['request']>,
  ): Operation => ({ name, expected, send: () => client.request(...request()) });
  const submissions = `/api/forms/${formId}/submissions`;
  return {
    formId,
    token,
    operations: [
      operation('create a completed submission', 201, () => [
        'POST',
        submissions,
        undefined,
        { isComplete: true },
      ]),
      operation('read a form', 200, () => ['GET', `/api/forms/${formId}`, token]),
      operation('list submissions', 200, () => ['GET', `${submissions}?pageSize=5`, token]),
      operation('import a data list', 200, () => ['PUT', `/api/data-lists/${list}/import`, token, { items }]),
      operation('read a data list', 200, () => ['GET', `/api/data-lists/${list}`, token]),
      operation('rename a form', 200, () => [
        'PATCH',
        `/api/forms/${formId}`,
        token,
        { description: String(Date.now()) },
      ]),
      operation('create a service account', 201, () => [
        'POST',
        '/api/service-accounts',
        token,
        { name: `rolling ${(accounts += 1)}` },
      ]),
      operation('list users', 200, () => ['GET', '/api/users', token]),
      operation('read the delivery log', 200, () => [
        'GET',
        `/api/webhooks/deliveries?formId=${formId}`,
        token,
      ]),
      operation('list webhook endpoints', 200, () => ['GET', '/api/webhooks/endpoints', token]),
    ],
  };
}
