import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../random';
import type { Change, Entity, SettingsValue } from '../records';
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
  /** Null for a create. */
  entityId: string | null;
  formId: string | null;
  marker: string | null;
  /** Event types it brings forth if it is acknowledged. */
  events: readonly string[];
  settings?: SettingsValue;
  deletes?: boolean;
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

  async attempt(attempt: Attempt): Promise<Reply> {
    await this.pacer.take();
    const { caller, method, path, body, headers } = attempt;
    const reply = await this.client.send(caller, method, path, body, headers);
    this.counts[reply.outcome] += 1;
    this.journal.changes.add(changeOf(attempt, reply));
    // A client that got no answer does not hammer.
    if (reply.outcome === 'unknown') await sleep(150);
    return reply;
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

function changeOf(attempt: Attempt, reply: Reply): Change {
  const { entity, operation, formId, marker, events, settings, deletes } = attempt;
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
  };
}
