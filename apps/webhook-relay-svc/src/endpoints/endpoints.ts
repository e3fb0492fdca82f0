import { difference, recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import {
  newestFirst,
  readKeyPage,
  type BoundStatement,
  type Database,
  type Queryable,
} from '@canvass/postgres';
import { assertIfMatch, digestOf, type IfMatch, type KeyPage, type KeyQuery } from '@canvass/service-kit';
import {
  allEndpoints,
  findEndpoint,
  lockEndpoint,
  type EndpointFilter,
  type EndpointView,
} from './endpoints.sql';

/**
 * Endpoints, newest first.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor
 */
export function readEndpoints(
  db: Database,
  filter: EndpointFilter,
  window: KeyQuery,
): Promise<KeyPage<EndpointView>> {
  return readKeyPage(db, allEndpoints(filter), newestFirst, window, (row) => row);
}

/** The digest of how it is shown, because much of that is derived. What only counts is not part of it. */
export const revisionOf = ({ filteredOut: _, ...shown }: EndpointView): string => digestOf(shown);

/** @throws {Problem} not_found */
export async function readEndpoint(db: Queryable, tenantId: string, id: string): Promise<EndpointView> {
  const [found] = await db.query(findEndpoint({ tenantId, id }));
  if (!found) throw notFound('webhook endpoint', id);
  return found;
}

/**
 * Changes an endpoint by a statement, records the change, and gives the endpoint as it is then.
 *
 * @param ifMatch the revisions that the change is conditional on
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export function changeEndpoint(
  db: Database,
  { tenantId, id, ifMatch }: { tenantId: string; id: string; ifMatch: IfMatch },
  change: BoundStatement<never>,
): Promise<EndpointView> {
  return db.transaction(async (tx) => {
    await tx.query(lockEndpoint({ tenantId, id }));
    const before = await readEndpoint(tx, tenantId, id);
    assertIfMatch(ifMatch, revisionOf(before));
    await tx.query(change);
    const after = await readEndpoint(tx, tenantId, id);
    const changes = difference(before, after, ['state', 'disabledReason', 'maxPerSecond']);
    if (changes) await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], ...changes });
    return after;
  });
}
