import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, dataOf, eventually, login, type Api, type WebhookSink } from '@canvass/testing';

const [writers, pauseMs, pauseAfterErrorMs] = [8, 100, 200];
/** Longer than the gateway waits for a service. */
const requestMs = 40_000;
const graceMs = 60_000;

/** Writers of completed submissions, whose webhooks a receiver counts. */
export class Load {
  readonly acknowledged: string[] = [];
  /** Requests that failed, by status or error. */
  readonly errors = new Map<string, number>();
  /** Milliseconds without an acknowledgement, at most. */
  longestGapMs = 0;
  private ending = false;
  private lastMs = performance.now();
  private readonly running: Promise<unknown>;

  constructor(
    private readonly api: Api,
    private readonly formId: string,
  ) {
    this.running = Promise.all(Array.from({ length: writers }, () => this.write()));
  }

  async stop(): Promise<void> {
    this.ending = true;
    this.longestGapMs = Math.max(this.longestGapMs, performance.now() - this.lastMs);
    await this.running;
  }

  private async write(): Promise<void> {
    while (!this.ending) {
      const failure = await this.create();
      if (failure !== null) this.errors.set(failure, (this.errors.get(failure) ?? 0) + 1);
      await sleep(failure === null ? pauseMs : pauseAfterErrorMs);
    }
  }

  /** Null if it was acknowledged. */
  private async create(): Promise<string | null> {
    try {
      const { data, response } = await this.api.POST('/api/forms/{formId}/submissions', {
        params: { path: { formId: this.formId } },
        body: { isComplete: true, jsonData: '{"a":1}' },
      });
      if (data === undefined) return String(response.status);
      this.acknowledged.push(data.id);
      const now = performance.now();
      this.longestGapMs = Math.max(this.longestGapMs, now - this.lastMs);
      this.lastMs = now;
      return null;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? name;
    }
  }
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

/** A running stack, and the login of its administrator. */
interface Target {
  gatewayUrl: string;
  demo: { adminEmail: string; adminPassword: string };
}

/** Creates a form with a webhook and returns what starts writers on it. */
export async function loadOn({ gatewayUrl, demo }: Target, sink: WebhookSink): Promise<() => Load> {
  const admin = apiOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const hook = { Url: `${sink.url}/hook`, Authentication: { Type: 'None' } };
  const settings = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } };
  const body = { name: 'Cluster', isEnabled: true, webHookSettingsJson: JSON.stringify(settings) };
  const { id } = await dataOf(admin.POST('/api/forms', { body }));
  const impatient = (request: Request) => fetch(request, { signal: AbortSignal.timeout(requestMs) });
  return () => new Load(apiOf(gatewayUrl, undefined, impatient), id);
}

/** Waits for the deliveries of all these submissions; returns how many are missing after the grace. */
export async function missingOf(ids: readonly string[], delivered: Map<string, number>): Promise<number> {
  const missing = () => ids.filter((id) => !delivered.has(id)).length;
  await eventually(() => missing() === 0, { timeoutMs: graceMs }).catch(() => undefined);
  return missing();
}
