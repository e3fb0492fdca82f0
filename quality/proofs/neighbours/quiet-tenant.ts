import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, login, webhookSink, apiOf, type Api, type WebhookSink } from '@canvass/testing';
import { hooksTo } from '../private-stack';

/** What the quiet tenant does, and the delivery of what it completed. */
export const kinds = ['create', 'read', 'list', 'search', 'delivery'] as const;
export type Kind = (typeof kinds)[number];

/** Milliseconds of each request of a window. */
export interface Window {
  times: Record<Kind, number[]>;
  failures: string[];
}

/** Lanes side by side, and the pause after each request: a fraction of what two cores can serve. */
const [lanes, pauseMs] = [2, 25];
/** A delivery that arrives later counts as lost. */
const maxDeliveryMs = 15_000;
/** Items of the data list, and submissions of the form that is listed. */
const rows = 200;

/** A tenant with a form, a data list and a webhook, which sends the same few requests all the time. */
export class QuietTenant {
  /** When the webhook of a submission arrived, by its id. */
  readonly #arrivals = new Map<string, number>();

  private constructor(
    private readonly admin: Api,
    private readonly runtime: Api,
    private readonly sink: WebhookSink,
    private readonly formId: string,
    /** It keeps its size: a list counts, too, and a form that grows slows the later windows. */
    private readonly listedFormId: string,
    private readonly dataListId: string,
  ) {
    this.sink.respond(({ body }) => {
      const { Payload } = JSON.parse(body.toString()) as { Payload: { id: string } };
      this.#arrivals.set(Payload.id, performance.now());
      return { status: 200 };
    });
  }

  static async create(gatewayUrl: string, email: string, password: string): Promise<QuietTenant> {
    const admin = apiOf(gatewayUrl, await login(gatewayUrl, email, password));
    const sink = await webhookSink({ keep: false });
    const { id } = await dataOf(
      admin.POST('/api/data-lists', { body: { name: 'Quiet', defaultLocale: 'en' } }),
    );
    const items = Array.from({ length: rows }, (_, n) => ({
      value: `v${n}`,
      labels: { default: `Item ${n}` },
    }));
    await dataOf(admin.PUT('/api/data-lists/{id}/import', { params: { path: { id } }, body: { items } }));
    const body = {
      name: 'Quiet',
      isEnabled: true,
      dataListIds: [id],
      webHookSettingsJson: hooksTo(`${sink.url}/quiet`),
    };
    const { id: formId } = await dataOf(admin.POST('/api/forms', { body }));
    const listed = await dataOf(admin.POST('/api/forms', { body: { name: 'Listed', isEnabled: true } }));
    const ofListed = { params: { path: { formId: listed.id } } };
    for (let n = 0; n < rows; n += 1)
      await dataOf(
        admin.POST('/api/forms/{formId}/submissions', { ...ofListed, body: { jsonData: '{"city":"vie"}' } }),
      );
    const { token } = await dataOf(
      apiOf(gatewayUrl).POST('/api/public/forms/{formId}/access-tokens', { params: { path: { formId } } }),
    );
    return new QuietTenant(admin, apiOf(gatewayUrl, token), sink, formId, listed.id, id);
  }

  /** Sends requests for some seconds, and waits for the deliveries. */
  async measure(seconds: number): Promise<Window> {
    const times = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Record<Kind, number[]>;
    const window: Window = { times, failures: [] };
    const sent = new Map<string, number>();
    const end = performance.now() + seconds * 1000;
    await Promise.all(Array.from({ length: lanes }, () => this.#lane(window, sent, end)));
    const missing = () => [...sent.keys()].filter((id) => !this.#arrivals.has(id)).length;
    const deadline = performance.now() + maxDeliveryMs;
    while (missing() > 0 && performance.now() < deadline) await sleep(20);
    if (missing() > 0) window.failures.push(`${missing()} deliveries did not arrive`);
    for (const [id, started] of sent) times.delivery.push((this.#arrivals.get(id) ?? deadline) - started);
    this.#arrivals.clear();
    return window;
  }

  close(): Promise<void> {
    return this.sink.close();
  }

  async #lane(window: Window, sent: Map<string, number>, end: number): Promise<void> {
    const { admin, formId, listedFormId } = this;
    const ofForm = { path: { formId } };
    for (let n = 0; performance.now() < end; n += 1) {
      const started = performance.now();
      const created = await this.#timed(window, 'create', () =>
        admin.POST('/api/forms/{formId}/submissions', {
          params: ofForm,
          body: { isComplete: true, jsonData: '{"city":"vie"}' },
        }),
      );
      if (created === undefined) continue;
      sent.set(created.id, started);
      await this.#timed(window, 'read', () =>
        admin.GET('/api/forms/{formId}/submissions/{submissionId}', {
          params: { path: { formId, submissionId: created.id } },
        }),
      );
      await this.#timed(window, 'list', () =>
        admin.GET('/api/forms/{formId}/submissions', {
          params: { path: { formId: listedFormId }, query: { limit: 20 } },
        }),
      );
      await this.#timed(window, 'search', () =>
        this.runtime.GET('/api/public/forms/{formId}/data-lists/{dataListId}/search', {
          params: { path: { formId, dataListId: this.dataListId }, query: { query: `item ${n % rows}` } },
        }),
      );
    }
  }

  async #timed<T>(
    window: Window,
    kind: Kind,
    send: () => Promise<{ data?: T; error?: unknown; response: Response }>,
  ): Promise<T | undefined> {
    const started = performance.now();
    try {
      const { data, error, response } = await send();
      window.times[kind].push(performance.now() - started);
      if (data === undefined) window.failures.push(`${kind}: ${response.status} ${JSON.stringify(error)}`);
      await sleep(pauseMs);
      return data;
    } catch (error) {
      window.failures.push(`${kind}: ${String(error)} ${String((error as Error).cause ?? '')}`);
      await sleep(pauseMs);
      return undefined;
    }
  }
}
