import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { LoggedAttempt } from '../pipeline';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import {
  findDelivery,
  pageOfDeliveries,
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
  attemptCount: row.attempt_count,
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

/** One delivery with the message as it is sent and its newest attempts, oldest first. */
export type DeliveryDetail = DeliveryView & {
  messageBody: string;
  attempts: LoggedAttempt[];
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

type DetailRow = DeliveryRow & { body: Buffer; attempts: LoggedAttempt[] | null };

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query<DetailRow>(findDelivery, [tenantId, id]);
  if (!row) throw notFound('webhook delivery', id);
  return { ...viewOf(row), messageBody: row.body.toString('utf8'), attempts: row.attempts ?? [] };
}
