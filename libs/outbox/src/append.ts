import type { EventData, EventEntity, EventType, SettingsRef } from '@canvass/contracts';
import { statement, type Tx } from '@canvass/postgres';

/** An event as the rule that makes it knows it; id and time are the database's. */
export interface NewEvent<T extends EventType = EventType> {
  type: T;
  tenantId: string;
  entity: EventEntity;
  entityId: string;
  formId: string | null;
  /** Of the entity, after the change. */
  revision: string;
  settings: SettingsRef | null;
  traceparent: string | null;
  data: EventData[T];
}

const insert = statement(
  'outbox_append',
  `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data)
   values ($1::bigint % 4, $2, $3, $4, $1::bigint, $5, $6, $7, $8, $9)
   returning event_id`,
);

/**
 * Writes an event in the transaction of its change. Call it last, when the entity's row is locked and its revision has
 * grown. Gives the event's id. Wake the dispatcher after the commit.
 */
export async function append<T extends EventType>(tx: Tx, event: NewEvent<T>): Promise<string> {
  const [row] = await tx.query<{ event_id: string }>(insert, [
    event.entityId,
    event.type,
    event.tenantId,
    event.entity,
    event.formId,
    event.revision,
    event.settings === null ? null : JSON.stringify(event.settings),
    event.traceparent,
    JSON.stringify(event.data),
  ]);
  return row!.event_id;
}
