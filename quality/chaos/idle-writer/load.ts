import { webhookEventNames } from '@canvass/contracts';
import type { Stack } from '@canvass/stack';
import { GatewayClient } from '../checker/gateway-client';
import { createPacer } from '../checker/pacer';
import { pathOf, Receivers } from '../checker/receivers';
import type { Passage } from './passages';

/** One form and one receiver's address each, so that the limit of five in flight per address is never near. */
const formCount = 10;
const clients = 64;
const renewSignInMs = 180_000;

/** Completed submissions at a steady rate, and their receivers. */
export class Load {
  /** By submission. */
  private readonly passages = new Map<string, Passage>();
  private readonly receivers = new Receivers(({ entityId, at, answered }) => {
    if (answered === 200) this.passageOf(entityId).deliveredAt ??= at;
  });
  private readonly client: GatewayClient;
  private readonly formIds: string[] = [];
  private readonly stopping = new AbortController();
  private working: Promise<void>[] = [];
  /** Requests that were not answered 201. */
  failures = 0;

  constructor({ file }: Stack) {
    const { adminEmail, adminPassword, serviceAccount } = file.demo;
    this.client = new GatewayClient(
      file.gatewayUrl,
      { adminEmail, adminPassword, ...serviceAccount },
      clients + 4,
    );
  }

  /** Makes the forms. */
  async prepare(): Promise<void> {
    await this.receivers.listen();
    await this.client.signIn(this.stopping.signal);
    for (let n = 0; n < formCount; n++) {
      const url = this.receivers.urlOf(pathOf(n));
      const endpoint = { Url: url, Authentication: { Type: 'None' } };
      const events = webhookEventNames.map((name) => [
        name,
        { IsEnabled: name === 'SubmissionCompleted', WebHookEndpoints: [endpoint] },
      ]);
      const webHookSettingsJson = JSON.stringify({ Events: Object.fromEntries(events) as unknown });
      const body = { name: `Idle writer ${n}`, webHookSettingsJson };
      this.formIds.push(await this.create('admin', '/api/forms', body));
    }
  }

  /** Submissions that are begun and not completed; their ids follow one another, so that they are in all lanes that the load uses. */
  async parked(): Promise<string[]> {
    const ids: string[] = [];
    for (const formId of this.formIds.slice(0, 4))
      ids.push(await this.create('anonymous', `/api/forms/${formId}/submissions`, { jsonData: '{}' }));
    return ids;
  }

  start(rate: number): void {
    const pacer = createPacer(rate);
    let turn = 0;
    const client = async () => {
      while (!this.stopping.signal.aborted) {
        await pacer.take();
        const path = `/api/forms/${this.formIds[turn++ % formCount]!}/submissions`;
        const jsonData = JSON.stringify({ answers: 'x'.repeat(500) });
        const { body, status, doneAt } = await this.client.send('anonymous', 'POST', path, {
          jsonData,
          isComplete: true,
        });
        if (status === 201) this.passageOf(String(body?.['id'])).acknowledgedAt = doneAt;
        else this.failures += 1;
      }
    };
    const renew = setInterval(() => void this.client.signIn(this.stopping.signal), renewSignInMs);
    this.stopping.signal.addEventListener('abort', () => clearInterval(renew));
    this.working = Array.from({ length: clients }, client);
  }

  /** No further submissions; resolves when those under way are answered. */
  async cease(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.working);
  }

  all(): Passage[] {
    return [...this.passages.values()];
  }

  isDelivered(id: string): boolean {
    return this.passageOf(id).deliveredAt !== null;
  }

  async close(): Promise<void> {
    await this.cease();
    await Promise.all([this.receivers.close(), this.client.close()]);
  }

  private passageOf(id: string): Passage {
    let passage = this.passages.get(id);
    if (!passage) this.passages.set(id, (passage = { id, acknowledgedAt: null, deliveredAt: null }));
    return passage;
  }

  private async create(caller: 'admin' | 'anonymous', path: string, body: unknown): Promise<string> {
    const reply = await this.client.send(caller, 'POST', path, body);
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}`);
    return String(reply.body?.['id']);
  }
}
