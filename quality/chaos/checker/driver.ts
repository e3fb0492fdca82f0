import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '@canvass/stack';
import {
  clientCredentials,
  clientOf,
  createRandom,
  eventually,
  login,
  type Answer,
  type Client,
  type Random,
} from '@canvass/testing';
import type { Change, Intent, Outcome, Records } from '../records';

export interface DriverOptions {
  seed: string;
  stack: StackFile;
  /** Changes per second at most. */
  rate: number;
}

export type Caller = 'anonymous' | 'admin' | 'integration';

/** A request to the gateway. */
export type Request = readonly [
  method: string,
  path: string,
  body?: object | undefined,
  headers?: Record<string, string>,
];

/** What a request was answered. `body` is undefined without a successful answer. */
export interface Reply<T> {
  outcome: Outcome;
  body: T | undefined;
  answer: Answer<T> | null;
  sentAt: number;
  doneAt: number;
}

const answerMs = 12_000;
/** Requests that may pass at once after a pause. A longer pause is not made up for. */
const burst = 20;
/** Repeats of a request with an `Idempotency-Key`. */
const maxRepeats = 8;

/** Sends changes through the gateway at a limited rate and records what was answered. */
export class Driver {
  private readonly clients: Record<Caller, Client>;
  private numbered = 0;
  private nextAt = Date.now();
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];

  constructor(
    private readonly options: DriverOptions,
    private readonly records: Records,
  ) {
    const anonymous = this.clientOf();
    this.clients = { anonymous, admin: anonymous, integration: anonymous };
  }

  /** The tenant of all callers. */
  get tenantId(): string {
    return this.options.stack.demo.tenantId;
  }

  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Calls `work` again and again until `stop`, with a pause before each call. */
  repeat(pauseMs: number, work: () => Promise<unknown>): void {
    const loop = async () => {
      for (;;) {
        if (pauseMs > 0)
          await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        if (this.stopped) return;
        await work();
      }
    };
    this.loops.push(loop());
  }

  /** Ends all loops; resolves when those in progress have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
  }

  /** Signs the callers in; called again to renew their tokens. */
  async signIn(): Promise<void> {
    const { gatewayUrl, demo } = this.options.stack;
    const patient = { timeoutMs: 600_000 };
    const admin = await eventually(() => login(gatewayUrl, demo.adminEmail, demo.adminPassword), patient);
    this.clients.admin = this.clientOf(admin);
    const token = await eventually(() => clientCredentials(gatewayUrl, demo.serviceAccount), patient);
    this.clients.integration = this.clientOf(token);
  }

  randomFor(worker: string): Random {
    return createRandom(`${this.options.seed}/${worker}`);
  }

  /** Returns a word that occurs nowhere else in this run. */
  newMarker(): string {
    this.numbered += 1;
    return `chaos-${this.options.seed}-${this.numbered.toString(36)}`;
  }

  /**
   * Sends a change and records the answer.
   *
   * @param repeat the request has an `Idempotency-Key` and is repeated until there is an answer
   */
  async attempt<T = unknown>(
    caller: Caller,
    request: Request,
    intent: Intent,
    repeat = false,
  ): Promise<Reply<T>> {
    await this.takeTurn();
    let reply = await this.send<T>(caller, request);
    const { sentAt } = reply;
    let repeats = 0;
    while (repeat && repeats < maxRepeats && isOpen(reply)) {
      repeats += 1;
      await sleep(200 * repeats);
      reply = await this.send<T>(caller, request);
    }
    // Without an acknowledgement, the first request may still have been carried out.
    const outcome = repeats > 0 && reply.outcome !== 'acknowledged' ? 'unknown' : reply.outcome;
    reply = { ...reply, outcome, sentAt };
    const replayed = reply.answer?.headers.get('idempotency-replayed') === 'true';
    const keyed = repeat ? { keyed: { repeats, replayed } } : {};
    this.record({ ...intent, ...keyed }, reply);
    // A client without an answer waits before its next request.
    if (outcome === 'unknown') await sleep(150);
    return reply;
  }

  /** Repeats a create that was not acknowledged, and returns what was created. */
  async insist<T>(create: () => Promise<T | null>): Promise<T> {
    for (;;) {
      const created = await create();
      if (created !== null) return created;
      await sleep(200, undefined, { signal: this.stopping.signal });
    }
  }

  /** Sends a request that is no change. */
  async send<T>(caller: Caller, [method, path, body, headers]: Request): Promise<Reply<T>> {
    const sentAt = Date.now();
    const answer = await this.clients[caller].call<T>(method, path, body, headers).catch(() => null);
    const status = answer?.status ?? 500;
    const outcome = status < 300 ? 'acknowledged' : status < 500 ? 'refused' : 'unknown';
    const shown = outcome === 'acknowledged' ? answer?.body : undefined;
    return { outcome, body: shown, answer, sentAt, doneAt: Date.now() };
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
    const shown = (body ?? {}) as { id?: string; revision?: string };
    this.records.changes.push({
      ...intent,
      outcome,
      sentAt,
      doneAt,
      key: intent.key ?? (shown.id === undefined ? null : `${intent.entity} ${shown.id}`),
      formId: intent.formId ?? null,
      marker: intent.marker ?? null,
      revision: outcome === 'acknowledged' ? (shown.revision ?? intent.revision ?? null) : null,
    });
  }

  private clientOf(token?: string): Client {
    return clientOf(this.options.stack.gatewayUrl, token, answerMs);
  }
}

/** No answer, or the first request with the same key is in progress: any other conflict has no `Retry-After`. */
const isOpen = ({ outcome, answer }: Reply<unknown>): boolean =>
  outcome === 'unknown' || (answer?.status === 409 && answer.headers.has('retry-after'));
