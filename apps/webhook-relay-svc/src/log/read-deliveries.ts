import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import {
  findAttempts,
  findDelivery,
  pageOfDeliveries,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryPageRow,
  type DeliveryRow,
} from './log.sql';

const viewOf = (row: DeliveryRow) => ({
  id: row.id,
  messageId: row.message_id,
  endpointId: row.endpoint_id,
  eventName: row.event_name,
  entityId: row.entity_id,
  formId: row.form_id,
  status: row.status,
  attemptCount: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastOutcome: row.last_outcome,
  lastStatusCode: row.last_status_code,
  lastAttemptAt: row.last_attempt_at,
  occurredAt: row.occurred_at,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

/** A delivery as lists show it. */
export type DeliveryView = ReturnType<typeof viewOf>;

const attemptOf = (row: AttemptRow) => ({
  number: row.number,
  startedAt: row.started_at,
  outcome: row.outcome,
  statusCode: row.status_code,
  error: row.error,
  url: row.url,
  remoteAddress: row.remote_address,
  /** Milliseconds; dns, connect and tls are null where a kept connection was used. */
  milliseconds: {
    dns: row.dns_ms,
    connect: row.connect_ms,
    tls: row.tls_ms,
    firstByte: row.first_byte_ms,
    total: row.total_ms,
  },
  requestHeaders: row.request_headers,
  responseBody: row.response_body.toString('utf8'),
  responseTruncated: row.response_truncated,
});

/** One delivery with the message as it is sent and its newest attempts, oldest first. */
export type DeliveryDetail = DeliveryView & {
  messageBody: string;
  attempts: ReturnType<typeof attemptOf>[];
};

export async function readDeliveries(
  db: Database,
  filter: DeliveryFilter,
  paging: PageQuery,
): Promise<Page<DeliveryView>> {
  const { page, pageSize } = paging;
  const rows = await db.run<DeliveryPageRow>(pageOfDeliveries(filter, pageSize, (page - 1) * pageSize));
  const items = rows.flatMap((row) => (row.id === null ? [] : [viewOf(row)]));
  return pageOf(items, Number(rows[0]?.total ?? 0), paging);
}

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query<DeliveryRow & { body: Buffer }>(findDelivery, [tenantId, id]);
  if (!row) throw notFound('webhook delivery', id);
  const attempts = await db.query<AttemptRow>(findAttempts, [tenantId, id]);
  return {
    ...viewOf(row),
    messageBody: row.body.toString('utf8'),
    attempts: attempts.reverse().map(attemptOf),
  };
}
