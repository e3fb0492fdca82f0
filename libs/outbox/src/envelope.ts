import { exchanges, type EventEnvelope, type SettingsRef } from '@canvass/contracts';
import type { OutgoingMessage } from '@canvass/messaging';

/** A row as the dispatcher reads it; `data` is JSON text, so that its bytes reach consumers unchanged. */
export interface OutboxRow {
  id: string;
  event_id: string;
  event_type: string;
  tenant_id: string;
  entity: string;
  entity_id: string;
  form_id: string | null;
  revision: string;
  settings: SettingsRef | null;
  traceparent: string | null;
  data: string;
  created_at: Date;
}

/** The row's event (contracts' `EventEnvelope`) as JSON text. */
export function envelopeText(row: OutboxRow): string {
  const head: Omit<EventEnvelope, 'data' | 'type' | 'entity'> & { type: string; entity: string } = {
    id: row.event_id,
    type: row.event_type,
    schemaVersion: 1,
    tenantId: row.tenant_id,
    entity: row.entity,
    entityId: row.entity_id,
    formId: row.form_id,
    revision: row.revision,
    occurredAt: row.created_at.toISOString(),
    settings: row.settings,
    traceparent: row.traceparent,
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${row.data}}`;
}

export function messageOf(row: OutboxRow): OutgoingMessage {
  return {
    exchange: exchanges.events,
    routingKey: row.event_type,
    messageId: row.event_id,
    body: Buffer.from(envelopeText(row)),
    headers: {
      tenant: row.tenant_id,
      'schema-version': 1,
      ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    },
  };
}
