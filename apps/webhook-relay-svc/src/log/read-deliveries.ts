import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import type { LoggedAttempt } from '../pipeline';
import {
  findDelivery,
  pageOfDeliveries,
  type DeliveryFilter,
  type DeliveryPageRow,
  type DeliveryView,
} from './log.sql';

/** One delivery with the message as it is sent and its newest attempts, oldest first. */
export interface DeliveryDetail extends DeliveryView {
  messageBody: string;
  attempts: LoggedAttempt[];
}

export async function readDeliveries(
  db: Database,
  filter: DeliveryFilter,
  paging: PageQuery,
): Promise<Page<DeliveryView>> {
  const { page, pageSize } = paging;
  const rows = await db.run<DeliveryPageRow>(pageOfDeliveries(filter, pageSize, (page - 1) * pageSize));
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
  return pageOf(items, Number(rows[0]?.total ?? 0), paging);
}

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query(findDelivery({ tenantId, id }));
  if (!row) throw notFound('webhook delivery', id);
  const { body, attempts, ...delivery } = row;
  return { ...delivery, messageBody: body.toString('utf8'), attempts: attempts ?? [] };
}
