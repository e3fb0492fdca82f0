import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '@canvass/stack';
import {
  apiOf,
  clientCredentials,
  createRandom,
  eventually,
  login,
  type Api,
  type Random,
} from '@canvass/testing';
import type { Change, Intent, Outcome, Records } from '../records';

export interface DriverOptions {
  seed: string;
  stack: StackFile;
  /** Changes per second at most. */
  rate: number;
  /** Completed submissions only, instead of changes at random. */
  steady: boolean;
}

export type Caller = 'anonymous' | 'admin' | 'integration';

/** What a request was answered. `body` is undefined without a successful answer. */
export interface Reply<T> {
  outcome: Outcome;
  body: T | undefined;
  response: Response | null;
  sentAt: number;
  doneAt: number;
}

type Call<T> = (api: Api) => Promise<{ data?: T; response: Response }>;

const answerMs = 12_000;
/** Requests that may pass at once after a pause. A longer pause is not made up for. */
const burst = 20;
/** Repeats of a request with an `Idempotency-Key`. */
const mostRepeats = 8;

/** Sends changes through the gateway at a limited rate and records what was answered. */
export class Driver {
  private readonly apis: Record<Caller, Api>;
  private numbered = 0;
  private nextAt = Date.now();
  private readonly stopping = new AbortController();

  constructor(
    private readonly options: DriverOptions,
    private readonly records: Records,
  ) {
    const anonymous = this.clientOf();
    this.apis = { anonymous, admin: anonymous, integration: anonymous };
  }

  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Signs the callers in; called again to renew their tokens. */
  async signIn(): Promise<void> {
    const { gatewayUrl, demo } = this.options.stack;
    const patient = { timeoutMs: 600_000 };
    const admin = await eventually(() => login(gatewayUrl, demo.adminEmail, demo.adminPassword), patient);
    this.apis.admin = this.clientOf(admin);
    const token = await eventually(() => clientCredentials(gatewayUrl, demo.serviceAccount), patient);
    this.apis.integration = this.clientOf(token);
  }

  randomFor(worker: string): Random {
    return createRandom(`${this.options.seed}/${worker}`);
  }

  /** Returns a word that occurs nowhere else in this run. */
  newMarker(): string {
    this.numbered += 1;
    return `chaos-${this.options.seed}-${this.numbered.toString(36)}`;
  }

  /** True for every second marker, except in a steady load. */
  usesKey(marker: string): boolean {
    return !this.options.steady && parseInt(marker.slice(-1), 36) % 2 === 1;
  }

  /**
   * Sends a change and records the answer.
   *
   * @param options.repeat the request has an `Idempotency-Key` and is repeated until there is an answer
   * @param options.alike further entities that the same request changes
   */
  async attempt<T>(
    caller: Caller,
    intent: Intent,
    call: Call<T>,
    {
      repeat = false,
      alike = [],
    }: { repeat?: boolean; alike?: readonly Pick<Intent, 'key' | 'revision'>[] } = {},
  ): Promise<Reply<T>> {
    await this.takeTurn();
    let reply = await this.send(caller, call);
    const { sentAt } = reply;
    let repeats = 0;
    while (repeat && repeats < mostRepeats && isOpen(reply)) {
      repeats += 1;
      await sleep(200 * repeats);
      reply = await this.send(caller, call);
    }
    // Without an acknowledgement, the first request may still have been carried out.
    const outcome = repeats > 0 && reply.outcome !== 'acknowledged' ? 'unknown' : reply.outcome;
    reply = { ...reply, outcome, sentAt };
    const replayed = reply.response?.headers.get('idempotency-replayed') === 'true';
    const keyed = repeat ? { keyed: { repeats, replayed } } : {};
    for (const more of [{}, ...alike]) this.record({ ...intent, ...keyed, ...more }, reply);
    // A client without an answer waits before its next request.
    if (outcome === 'unknown') await sleep(150);
    return reply;
  }

  /** Sends a request that is no change. */
  async send<T>(caller: Caller, call: Call<T>): Promise<Reply<T>> {
    const sentAt = Date.now();
    try {
      const { data, response } = await call(this.apis[caller]);
      const { status } = response;
      const outcome = status < 300 ? 'acknowledged' : status < 500 ? 'refused' : 'unknown';
      return { outcome, body: data, response, sentAt, doneAt: Date.now() };
    } catch {
      return { outcome: 'unknown', body: undefined, response: null, sentAt, doneAt: Date.now() };
    }
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async takeTurn(): Promise<void> {
    const gapMs = 1000 / this.options.rate;
    const now = Date.now();
    this.nextAt = Math.max(this.nextAt + gapMs, now - burst * gapMs);
    if (this.nextAt > now) await sleep(this.nextAt - now);
  }

  private record(
    intent: Intent & Pick<Change, 'keyed'>,
    { outcome, body, sentAt, doneAt }: Reply<unknown>,
  ): void {
    const acknowledged = outcome === 'acknowledged';
    const shown = (acknowledged ? (body ?? {}) : {}) as { id?: string; revision?: string };
    this.records.changes.push({
      ...intent,
      outcome,
      sentAt,
      doneAt,
      key: intent.key ?? (shown.id === undefined ? null : `${intent.entity} ${shown.id}`),
      formId: intent.formId ?? null,
      marker: intent.marker ?? null,
      revision: acknowledged ? (shown.revision ?? intent.revision ?? null) : null,
    });
  }

  private clientOf(token?: string): Api {
    const send = (request: Request) => fetch(request, { signal: AbortSignal.timeout(answerMs) });
    return apiOf(this.options.stack.gatewayUrl, token, send);
  }
}

/** There is no answer, or the first request with the same key is still in progress. */
const isOpen = ({ outcome, response }: Reply<unknown>): boolean =>
  outcome === 'unknown' || response?.status === 409;
