import type { EventEnvelope } from '@canvass/contracts';

/** A row of `outbox` as the dispatcher reads it; JSON columns as their text. */
export interface OutboxRow {
  id: string;
  eventId: string;
  eventType: string;
  tenantId: string;
  entity: string;
  entityId: string;
  formId: string | null;
  revision: string;
  settings: string | null;
  traceparent: string | null;
  data: string;
  createdAt: Date;
}

/** RabbitMQ 4 refuses bodies over 16 MiB by closing the channel, which would hold up the lane for ever. */
const bodyLimit = 16 * 1024 * 1024 - 64 * 1024;

/** A routing key is a short string of AMQP: 255 bytes. The form keeps it within what consumers can bind. */
const eventTypeForm = /^[a-z0-9_]{1,100}\.[a-z0-9_]{1,100}$/;

/**
 * The message's body: the envelope of the contracts as JSON, with the bytes of `data` as they are in the row. Throws for
 * a row that can never be a message.
 */
export function envelopeBytes(row: OutboxRow): Buffer {
  if (!eventTypeForm.test(row.eventType))
    throw new Error(`"${row.eventType.slice(0, 50)}" is not an event type`);
  if (!/^\s*\{/.test(row.data)) throw new Error('its data is not an object');
  if (row.settings !== null && !/^\s*(\{|null\b)/.test(row.settings))
    throw new Error('its settings are not an object');
  const head = JSON.stringify({
    id: row.eventId,
    type: row.eventType,
    schemaVersion: 1,
    tenantId: row.tenantId,
    entity: row.entity,
    entityId: row.entityId,
    formId: row.formId,
    revision: row.revision,
    occurredAt: row.createdAt.toISOString(), // throws for `infinity`
    traceparent: row.traceparent,
  });
  const body = Buffer.from(`${head.slice(0, -1)},"settings":${row.settings ?? 'null'},"data":${row.data}}`);
  if (body.length > bodyLimit) throw new Error(`its ${body.length} bytes are more than a message may have`);
  return body;
}

/** The envelope that a consumer of the row's message sees. */
export function outboxEnvelope(row: OutboxRow): EventEnvelope {
  return JSON.parse(envelopeBytes(row).toString()) as EventEnvelope;
}
