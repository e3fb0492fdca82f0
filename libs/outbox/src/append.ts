import { writeJson } from '@canvass/json-numbers';
import type { EventData, EventEntity, EventType, SettingsRef } from '@canvass/contracts';
import { statement, type Tx } from '@canvass/postgres';
import { eventColumns } from './insert-events.sql';
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

interface EventValues {
  type: EventType;
  tenantId: string;
  entity: EventEntity;
  entityId: string;
  formId: string | null;
  revision: string;
  settings: string | null;
  traceparent: string | null;
  data: string;
}

const insertEvent = statement<EventValues, { id: string }>(
  'outbox_append',
  `insert into outbox (${eventColumns})
   values (${laneSql('$entityId::bigint')}, $type, $tenantId, $entity, $entityId, $formId, $revision, $settings, $traceparent, $data)
   returning event_id as id`,
);

/**
 * Adds an event to the outbox within the transaction of its change: it is published if and when the
 * transaction commits. Call it last, with the entity's row locked and its revision increased, because the
 * order of the rows is the order of the entity's events. Returns the id of the event.
 *
 * A hot path may append in the statement of its change instead, with `insertEventsSql`.
 */
export async function append<T extends EventType>(tx: Tx, event: NewEvent<T>): Promise<string> {
  const [row] = await tx.query(
    insertEvent({
      type: event.type,
      tenantId: event.tenantId,
      entity: event.entity,
      entityId: event.entityId,
      formId: event.formId,
      revision: event.revision,
      settings: event.settings === null ? null : JSON.stringify(event.settings),
      traceparent: event.traceparent,
      data: writeJson(event.data),
    }),
  );
  return row!.id;
}
