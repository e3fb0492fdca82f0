import { notFound } from '@canvass/errors';
import {
  countRows,
  keyPageQuery,
  keySliceOf,
  newestFirst,
  readBounded,
  totalOf,
  type Database,
  type Queryable,
  type WithKeys,
} from '@canvass/postgres';
import { pageOf, type KeyPage, type KeyQuery, type Page, type Paging } from '@canvass/service-kit';
import type { LoggedAttempt } from '../pipeline';
import {
  allDeliveryIds,
  deliverySources,
  findDelivery,
  pageOfDeliveries,
  type DeliveryView,
} from './log.sql';
import type { DeliveryFilter } from './delivery-filter';
import type { FoundFilter } from './delivery-filter.sql';
import { findEntityOf } from './read-message';

/** One delivery with the message as it is sent and its newest attempts, oldest first. */
export interface DeliveryDetail extends DeliveryView {
  messageBody: string;
  attempts: ShownAttempt[];
}

/** An attempt without a response has no headers; nor have attempts that an earlier version made. */
type ShownAttempt = Omit<LoggedAttempt, 'responseHeaders' | 'responseBodyBase64'> & {
  responseHeaders: Record<string, string> | null;
  /** Null if the response was text. */
  responseBodyBase64: string | null;
};
const unknown = { responseHeaders: null, responseBodyBase64: null };

/**
 * Deliveries, newest first.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad` after 5 s
 */
export async function readDeliveries(
  db: Database,
  filter: DeliveryFilter & { tenantId: string },
  paging: Paging,
): Promise<Page<DeliveryView> | KeyPage<DeliveryView>> {
  const { byKey } = paging;
  return readBounded(db, advice, async (tx): Promise<Page<DeliveryView> | KeyPage<DeliveryView>> => {
    const found = await findMessageOf(tx, filter);
    return byKey === null ? deliveriesByNumber(tx, found, paging) : deliveriesByKey(tx, found, byKey);
  });
}

/** A message that is not kept has entity 0, and so no deliveries but those of tests. */
export async function findMessageOf(
  db: Queryable,
  filter: DeliveryFilter & { tenantId: string },
): Promise<FoundFilter> {
  const { tenantId, messageId } = filter;
  if (messageId === undefined) return filter;
  return { ...filter, messageEntityId: (await findEntityOf(db, tenantId, messageId)) ?? '0' };
}

async function deliveriesByNumber(
  db: Queryable,
  filter: FoundFilter,
  paging: Paging,
): Promise<Page<DeliveryView>> {
  const { page, pageSize } = paging;
  const offset = (page - 1) * pageSize;
  const total = await countRows(db, allDeliveryIds(filter));
  if (offset >= total) return pageOf<DeliveryView>([], total, paging); // without a second search
  const rows = await db.run<DeliveryView>(pageOfDeliveries(filter, { limit: pageSize, offset }));
  return pageOf(rows, total, paging);
}

async function deliveriesByKey(
  db: Queryable,
  filter: FoundFilter,
  window: KeyQuery,
): Promise<KeyPage<DeliveryView>> {
  const { text, values } = keyPageQuery(deliverySources(filter), newestFirst, window);
  const found = await db.query<WithKeys<DeliveryView>>(text, values);
  const { rows, next, previous } = keySliceOf(found, newestFirst, window);
  const total = await totalOf(db, allDeliveryIds(filter), window.total);
  return { items: rows.map(({ keys: _, ...view }) => view), next, previous, ...total };
}

const advice =
  'Limit the time by from and to, filter by endpointId, formId or entityId, or page by key with total=none.';

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query(findDelivery({ tenantId, id }));
  if (!row) throw notFound('webhook delivery', id);
  const { body, attempts, ...delivery } = row;
  return {
    ...delivery,
    messageBody: body.toString('utf8'),
    attempts: (attempts ?? []).map((each) => ({ ...unknown, ...each })),
  };
}
