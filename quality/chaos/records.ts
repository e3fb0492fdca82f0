/** What the checker writes down during a run. Times are milliseconds since 1970. */

export type Entity =
  | 'submission'
  | 'submitter'
  | 'form'
  | 'datalist'
  | 'tenant'
  /** The relay reports changes of these two by itself. */
  | 'endpoint'
  | 'delivery';

/**
 * `acknowledged`: answered 2xx, so the change must be stored. `refused`: answered 4xx, so it must have no
 * effect. `unknown`: no answer or 5xx; whether it was stored is read at the end.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** An entity: its type and its id, as in `form 7`. */
export type Key = `${Entity} ${string}`;

/** A change before it is sent. */
export interface Intent {
  entity: Entity;
  /** What is tried, for a reader. */
  operation: string;
  /** Event types that the change causes if it is acknowledged. */
  events: readonly string[];
  /** Absent for a create. */
  key?: Key | null;
  formId?: string | null;
  /** A word that occurs in no other change and is stored with the entity; absent if the change has none. */
  marker?: string | null;
  /** Revision after the change; needed only where the answer has no body. */
  revision?: string | null;
  /** The change deletes the entity. */
  deletes?: boolean;
}

/** Returns an intent to change an entity. @param id null for a create */
export const changeOf = (
  entity: Entity,
  id: string | null,
  operation: string,
  event: string,
  more: Partial<Intent> = {},
): Intent => ({
  entity,
  operation,
  events: [`${entity}.${event}`],
  key: id === null ? null : `${entity} ${id}`,
  formId: entity === 'form' ? id : null,
  ...more,
});

/** A change and its answer. */
export interface Change extends Intent {
  outcome: Outcome;
  sentAt: number;
  doneAt: number;
  /** Null if unknown: a create without an answer. */
  key: Key | null;
  formId: string | null;
  marker: string | null;
  revision: string | null;
  /** Sent with an `Idempotency-Key`: number of repeats, and whether the answer was a replay. */
  keyed?: { repeats: number; replayed: boolean };
}

/** An event on the checker's own queue, which is bound to all events. */
export interface SeenEvent {
  at: number;
  id: string;
  type: string;
  key: Key;
  formId: string | null;
  revision: string;
  settings: { scope: string; scopeId: string; version: string } | null;
  /** SHA-256 of the message's bytes. */
  digest: string;
  marker: string | null;
}

/** A request that a receiver got. */
export interface ReceivedHook {
  at: number;
  path: string;
  id: string;
  type: string;
  key: Key;
  revision: string;
  marker: string | null;
  /** SHA-256 of the body's bytes. */
  digest: string;
  /** Null: the receiver did not answer. */
  answered: number | null;
}

/** A fault as it was carried out. */
export interface FaultRecord {
  description: string;
  kind: string;
  startedAt: number;
  /** When the component was back. */
  backAt: number | null;
  error: string | null;
}

/** Everything the checker records while changes are made. */
export class Records {
  readonly changes: Change[] = [];
  readonly hooks: ReceivedHook[] = [];
  readonly events: SeenEvent[] = [];
}
