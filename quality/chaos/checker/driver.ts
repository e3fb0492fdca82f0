import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '@canvass/testing';
import type { Change, Entity, Resend, SettingsValue } from '../records';
import type { Caller, GatewayClient, Reply } from './gateway-client';
import type { Journal } from './journal';
import { createPacer, type Pacer } from './pacer';

/** One request that would change something. */
export interface Attempt {
  entity: Entity;
  operation: string;
  caller: Caller;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent as `Idempotency-Key`; the request is repeated until there is an answer. */
  key?: string;
  /** Null for a create. */
  entityId: string | null;
  formId: string | null;
  marker: string | null;
  /** Event types it brings forth if it is acknowledged. */
  events: readonly string[];
  settings?: SettingsValue;
  deletes?: boolean;
  erases?: boolean;
  /** Revision where the answer has no body. */
  revision?: string | null;
}

/** Sends changes through the gateway and writes down what was answered. */
export class Driver {
  private readonly pacer: Pacer;
  private numbered = 0;
  readonly stopping = new AbortController();
  readonly counts = { acknowledged: 0, refused: 0, unknown: 0 };

  constructor(
    readonly client: GatewayClient,
    private readonly journal: Journal,
    private readonly seed: string,
    targetRate: number,
  ) {
    this.pacer = createPacer(targetRate);
  }

  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  randomFor(worker: string): Random {
    return createRandom(`${this.seed}/${worker}`);
  }

  /** A word that nobody else uses in this run. */
  newMarker(): string {
    this.numbered += 1;
    return `chaos-${this.seed}-${this.numbered.toString(36)}`;
  }

  /** True of every second marker. */
  isOddMarker(marker: string): boolean {
    return parseInt(marker.slice(-1), 36) % 2 === 1;
  }

  /** `alike` are further entities that the same request changes. */
  async attempt(
    attempt: Attempt,
    alike: readonly Pick<Attempt, 'entityId' | 'revision'>[] = [],
  ): Promise<Reply> {
    await this.pacer.take();
    const { reply, repeats } = await this.send(attempt);
    for (const more of [{}, ...alike]) {
      this.counts[reply.outcome] += 1;
      this.journal.changes.add(changeOf({ ...attempt, ...more }, reply, repeats));
    }
    // A client that got no answer does not hammer.
    if (reply.outcome === 'unknown') await sleep(150);
    return reply;
  }

  resent(resend: Resend): void {
    this.journal.resends.add(resend);
  }

  private async send(attempt: Attempt): Promise<{ reply: Reply; repeats: number }> {
    const { caller, method, path, body, key } = attempt;
    const headers = { ...attempt.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const first = await this.client.send(caller, method, path, body, headers);
    let reply = first;
    let repeats = 0;
    while (key !== undefined && isOpen(reply) && repeats < mostRepeats) {
      repeats += 1;
      await sleep(200 * repeats);
      reply = await this.client.send(caller, method, path, body, headers);
    }
    if (reply.outcome === 'acknowledged' || repeats === 0)
      return { reply: { ...reply, sentAt: first.sentAt }, repeats };
    // Whatever was said later, the first request may have been carried out.
    return { reply: { ...first, outcome: 'unknown', doneAt: reply.doneAt }, repeats };
  }

  /** Attempts something again and again until it is acknowledged: for what the run cannot go on without. */
  async insist(make: () => Attempt): Promise<Reply> {
    for (;;) {
      const reply = await this.attempt(make());
      if (reply.outcome === 'acknowledged') return reply;
      if (reply.outcome === 'refused')
        throw new Error(`${make().operation} was refused: ${JSON.stringify(reply.body)}`);
      await sleep(200);
    }
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

const mostRepeats = 8;

/** No answer, or that the first request with this key is still being worked on. */
const isOpen = ({ outcome, status }: Reply): boolean => outcome === 'unknown' || status === 409;

function changeOf(attempt: Attempt, reply: Reply, repeats: number): Change {
  const { entity, operation, formId, marker, events, settings, deletes, erases, key } = attempt;
  const { outcome, status, sentAt, doneAt, body } = reply;
  const member = (name: string) => (typeof body?.[name] === 'string' ? body[name] : null);
  const acknowledged = outcome === 'acknowledged';
  return {
    entity,
    operation,
    outcome,
    status,
    sentAt,
    doneAt,
    entityId: attempt.entityId ?? (acknowledged ? member('id') : null),
    formId,
    revision: acknowledged ? (member('revision') ?? attempt.revision ?? null) : null,
    marker,
    events,
    ...(settings === undefined ? {} : { settings }),
    ...(deletes ? { deletes } : {}),
    ...(erases ? { erases } : {}),
    ...(key === undefined ? {} : { keyed: { repeats, replayed: reply.replayed } }),
  };
}
