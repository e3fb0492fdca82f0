import { notFound } from '@canvass/errors';
import { newestFirst, readBounded, readKeyPage, type Database, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { requestBody } from '../event-bytes';
import type { LoggedAttempt } from '../pipeline';
import { deliverySources, findDelivery, type DeliveryView } from './log.sql';
import type { DeliveryFilter } from './delivery-filter';
import type { FoundFilter } from './delivery-filter.sql';
import { findEntityOf } from './read-message';

/** One delivery with the body that its endpoint gets, and its newest attempts, oldest first. */
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
export function readDeliveries(
  db: Database,
  filter: DeliveryFilter & { tenantId: string },
  window: KeyQuery,
): Promise<KeyPage<DeliveryView>> {
  return readBounded(db, advice, async (tx) => {
    const sources = deliverySources(await findMessageOf(tx, filter));
    return readKeyPage(tx, sources, newestFirst, window, (delivery: DeliveryView) => delivery);
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

const advice =
  'Limit the time by from and to, filter by endpointId, formId or entityId, or ask without total.';

/** @throws {Problem} not_found */
export async function readDelivery(db: Database, tenantId: string, id: string): Promise<DeliveryDetail> {
  const [row] = await db.query(findDelivery({ tenantId, id }));
  if (!row) throw notFound('webhook delivery', id);
  const { body, payload, format, attempts, ...delivery } = row;
  const { eventName, occurredAt } = delivery;
  const head = { eventName, occurredAt: occurredAt.getTime() };
  return {
    ...delivery,
    messageBody: requestBody(body, { payload, format }, head).toString('utf8'),
    attempts: (attempts ?? []).map((each) => ({ ...unknown, ...each })),
  };
}
