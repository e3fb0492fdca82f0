import { notFound } from '@canvass/errors';
import { newestFirst, readBounded, readKeyPage, type Database } from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import type { LoggedAttempt } from '../pipeline';
import {
  allDeliveries,
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

/**
 * Deliveries, newest first.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad` after 5 s
 */
export async function readDeliveries(
  db: Database,
  filter: DeliveryFilter,
  paging: Paging,
): Promise<Page<DeliveryView> | KeyPage<DeliveryView>> {
  const { page, pageSize, byKey } = paging;
  return readBounded(db, advice, async (tx): Promise<Page<DeliveryView> | KeyPage<DeliveryView>> => {
    if (byKey !== null) return readKeyPage(tx, allDeliveries(filter), newestFirst, byKey, (row) => row);
    const rows = await tx.run<DeliveryPageRow>(pageOfDeliveries(filter, pageSize, (page - 1) * pageSize));
    const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
    return pageOf(items, Number(rows[0]?.total ?? 0), paging);
  });
}

const advice =
  'Limit the time by from and to, filter by endpointId, formId or entityId, or page by key with total=none.';

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query(findDelivery({ tenantId, id }));
  if (!row) throw notFound('webhook delivery', id);
  const { body, attempts, ...delivery } = row;
  return { ...delivery, messageBody: body.toString('utf8'), attempts: attempts ?? [] };
}
