import type { Lane } from './lanes';

/** A row of `outbox` as the dispatcher reads it, with JSON columns as text. */
export interface OutboxRow {
  id: string;
  lane: Lane;
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
  /** Length of the data in bytes. */
  bytes: number;
  createdAt: Date;
}

/** RabbitMQ 4 closes the channel on bodies over 16 MiB, which would block the lane forever. */
const bodyLimit = 16 * 1024 * 1024 - 64 * 1024;

/** An AMQP routing key has at most 255 bytes. The pattern limits it to keys that consumers can bind. */
const eventTypeForm = /^[a-z0-9_]{1,100}\.[a-z0-9_]{1,100}$/;

/**
 * The body of the message: the envelope as JSON, with the bytes of `data` as stored. Throws for a row that
 * can never be published.
 */
export function envelopeBytes(row: Omit<OutboxRow, 'lane' | 'bytes'>): Buffer {
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
  if (body.length > bodyLimit) throw new Error(`its ${body.length} bytes exceed the limit of a message`);
  return body;
}
