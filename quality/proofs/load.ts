import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, dataOf, eventually, login, type WebhookSink } from '@canvass/testing';
import { hooksWith } from './private-stack';

const [pauseMs, pauseAfterErrorMs] = [100, 200];
/** Longer than the gateway waits for a service. */
const requestMs = 40_000;
const graceMs = 60_000;

/** A running stack, and the login of its administrator. */
interface Target {
  gatewayUrl: string;
  demo: { adminEmail: string; adminPassword: string };
}

/** Writers of completed submissions to forms, whose webhooks a receiver counts. */
export class Load {
  /** Ids of acknowledged submissions, in order. */
  readonly acknowledged: string[] = [];
  /** Requests that failed, by status or error. */
  readonly errors = new Map<string, number>();
  /** Milliseconds without an acknowledgement, at most. */
  maxGapMs = 0;
  private ending = false;
  private lastMs = performance.now();
  private readonly running: Promise<unknown>;

  /** @param work what each writer does again and again; it returns the id of a submission, if it made one */
  constructor(work: readonly ((n: number) => Promise<string | undefined>)[]) {
    this.running = Promise.all(work.map((each) => this.write(each)));
  }

  async stop(): Promise<void> {
    this.ending = true;
    this.maxGapMs = Math.max(this.maxGapMs, performance.now() - this.lastMs);
    await this.running;
  }

  private async write(work: (n: number) => Promise<string | undefined>): Promise<void> {
    for (let n = 1; !this.ending; n += 1) {
      try {
        const id = await work(n);
        if (id === undefined) continue;
        this.acknowledged.push(id);
        const now = performance.now();
        this.maxGapMs = Math.max(this.maxGapMs, now - this.lastMs);
        this.lastMs = now;
        await sleep(pauseMs);
      } catch (error) {
        const { message, cause } = error as Error & { cause?: { code?: string } };
        const kind = cause?.code ?? message;
        this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
        await sleep(pauseAfterErrorMs);
      }
    }
  }
}

/** Creates forms with a webhook on a stack, and returns what starts a writer on each. */
export async function loadOn({ gatewayUrl, demo }: Target, hookUrl: string, writers: number) {
  const admin = apiOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const impatient = (request: Request) => fetch(request, { signal: AbortSignal.timeout(requestMs) });
  const respondent = apiOf(gatewayUrl, undefined, impatient);
  /** Settings differ by the API key, with which an endpoint stays the same; another URL is another endpoint. */
  const settingsOf = (version: number) => ({
    webHookSettingsJson: hooksWith(
      { Type: 'ApiKey', ApiKeyHeader: 'X-Load-Key', ApiKey: `settings-${version}` },
      hookUrl,
    ),
  });
  const createForm = async () =>
    (await dataOf(admin.POST('/api/forms', { body: { name: 'Load', isEnabled: true, ...settingsOf(0) } })))
      .id;
  const formIds: string[] = [];
  while (formIds.length < writers) formIds.push(await createForm());
  const writerOn = (formId: string, changeEvery: number) => async (n: number) => {
    const params = { path: { formId } };
    if (n % changeEvery === 0) {
      const body = { name: `Load ${n}`, ...settingsOf(n) };
      await dataOf(admin.PATCH('/api/forms/{formId}', { params, body }));
      return undefined;
    }
    const body = { isComplete: true, jsonData: JSON.stringify({ n }) };
    const sent = await respondent.POST('/api/forms/{formId}/submissions', { params, body });
    if (sent.data === undefined) throw new Error(String(sent.response.status));
    return sent.data.id;
  };
  return {
    createForm,
    /** @param changeEvery so many writes of a writer are followed by a change of its form and settings */
    start: (changeEvery = Infinity): Load => new Load(formIds.map((formId) => writerOn(formId, changeEvery))),
  };
}

/** Counts deliveries by submission. */
export function countDeliveries(sink: WebhookSink): Map<string, number> {
  const delivered = new Map<string, number>();
  sink.respond(({ body }) => {
    const { Payload } = JSON.parse(String(body)) as { Payload: { submissionId: string } };
    delivered.set(Payload.submissionId, (delivered.get(Payload.submissionId) ?? 0) + 1);
    return { status: 200 };
  });
  return delivered;
}

/** Waits for the deliveries of all these submissions; returns how many are missing after the grace. */
export async function missingOf(ids: readonly string[], delivered: Map<string, number>): Promise<number> {
  const missing = () => ids.filter((id) => !delivered.has(id)).length;
  await eventually(() => missing() === 0, { timeoutMs: graceMs }).catch(() => undefined);
  return missing();
}
