import type { EventData, EventEntity, EventType, SettingsRef } from '@canvass/contracts';
import { statement, type Tx } from '@canvass/postgres';
import { laneSql } from './lanes';

export interface NewEvent<T extends EventType> {
  type: T;
  tenantId: string;
  entity: EventEntity;
  entityId: string;
  /** The form that the entity belongs to (for a form its own id), or null. */
  formId: string | null;
  /** The revision of the entity after the change. */
  revision: string;
  /** The webhook settings in force; null without settings or for an event without webhooks. */
  settings: SettingsRef | null;
  traceparent: string | null;
  data: EventData[T];
}

const insertEvent = statement(
  'outbox_append',
  `insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data)
   values (${laneSql('$4::bigint')}, $1, $2, $3, $4, $5, $6, $7, $8, $9)
   returning event_id as id`,
);

/**
 * Adds an event to the outbox within the transaction of its change: it is published if and when the
 * transaction commits. Call it last, with the entity's row locked and its revision increased, because the
 * order of the rows is the order of the entity's events. Returns the id of the event.
 *
 * A hot path may insert the same columns in the statement of its change instead; the README shows how.
 */
export async function append<T extends EventType>(tx: Tx, event: NewEvent<T>): Promise<string> {
  const [row] = await tx.query<{ id: string }>(insertEvent, [
    event.type,
    event.tenantId,
    event.entity,
    event.entityId,
    event.formId,
    event.revision,
    event.settings === null ? null : JSON.stringify(event.settings),
    event.traceparent,
    JSON.stringify(event.data),
  ]);
  return row!.id;
}
