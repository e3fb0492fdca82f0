/** What the checker writes down. One line of JSON each, in files that only grow. */

export type Entity = 'submission' | 'form' | 'datalist' | 'tenant';

/**
 * `acknowledged`: answered 2xx, so stored for good. `refused`: answered 4xx, so it must have had no effect. `unknown`:
 * no answer, or one that leaves it open (5xx); what became of it is read back at the end.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** One request that would change something. Times are milliseconds since 1970. */
export interface Change {
  entity: Entity;
  /** What was tried, for a person. */
  operation: string;
  outcome: Outcome;
  status: number | null;
  sentAt: number;
  doneAt: number;
  /** Null where it is not known: a create without an answer. */
  entityId: string | null;
  formId: string | null;
  /** As acknowledged. */
  revision: string | null;
  /** A word that occurs in no other change and is stored with the entity; null where a change carries none. */
  marker: string | null;
  /** Event types that an acknowledged change must have brought forth. */
  events: readonly string[];
  /** Webhook settings it puts in force; absent where it does not touch them. */
  settings?: SettingsValue;
  /** The entity is deleted by it. */
  deletes?: boolean;
  /** Its answers, and with them the marker, are erased by it. */
  erases?: boolean;
  /** Sent with an `Idempotency-Key`: how often it was repeated, and whether an answer was a replay of one that was lost. */
  keyed?: { repeats: number; replayed: boolean };
}

/** A delivery that was asked to be sent again. */
export interface Resend {
  hookId: string;
  endpointId: string;
  sentAt: number;
  outcome: Outcome;
}

/** Paths of receivers by event name of the settings; null: no settings of one's own. */
export type SettingsValue = Record<string, readonly string[]> | null;

/** One event on the checker's own queue, which is bound for all events. */
export interface SeenEvent {
  at: number;
  id: string;
  type: string;
  entity: Entity;
  entityId: string;
  formId: string | null;
  revision: string;
  settings: { scope: string; scopeId: string; version: string } | null;
  /** SHA-256 of the message's bytes. */
  digest: string;
  marker: string | null;
  redelivered: boolean;
}

/** One request that a receiver got. */
export interface ReceivedHook {
  at: number;
  path: string;
  hookId: string;
  event: string;
  entityId: string;
  revision: string;
  marker: string | null;
  /** SHA-256 of the body's bytes. */
  digest: string;
  /** Null: never answered, because the receiver hung. */
  answered: number | null;
}

/** A fault as it was carried out; `backAt` is when the component was there again. */
export interface FaultRecord {
  description: string;
  kind: string;
  startedAt: number;
  backAt: number | null;
  error: string | null;
  /** Of a killed sender: the deliveries that were leased at that moment, by it or by its twin. */
  leased?: readonly LeasedDelivery[];
}

export interface LeasedDelivery {
  deliveryId: string;
  /** When it was leased, and until when; milliseconds since 1970 by the database's clock. */
  leasedAt: number;
  leaseUntil: number;
}

/** An entity as the database holds it at the end. */
export interface StoredEntity {
  entity: Entity;
  id: string;
  formId: string | null;
  revision: string;
  marker: string | null;
  deleted: boolean;
}
