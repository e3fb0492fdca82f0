import { difference, recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import {
  newestFirst,
  readKeyPage,
  type BoundStatement,
  type Database,
  type Queryable,
} from '@canvass/postgres';
import {
  assertIfMatch,
  digestOf,
  pageOf,
  type IfMatch,
  type KeyPage,
  type Page,
  type Paging,
} from '@canvass/service-kit';
import {
  allEndpoints,
  findEndpoint,
  lockEndpoint,
  pageOfEndpoints,
  type EndpointFilter,
  type EndpointPageRow,
  type EndpointView,
} from './endpoints.sql';

/**
 * Endpoints, newest first.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor
 */
export async function readEndpoints(
  db: Database,
  filter: EndpointFilter,
  { byKey, ...paging }: Paging,
): Promise<Page<EndpointView> | KeyPage<EndpointView>> {
  if (byKey !== null) {
    const { tenantId, formId = null, state = null } = filter;
    const source = allEndpoints({ tenantId, formId, state });
    return readKeyPage(db, source, newestFirst, byKey, (row) => row);
  }
  const { page, pageSize } = paging;
  const rows = await db.run<EndpointPageRow>(pageOfEndpoints(filter, pageSize, (page - 1) * pageSize));
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
  return pageOf(items, Number(rows[0]?.total ?? 0), paging);
}

/** @throws {Problem} not_found */
export async function readEndpoint(db: Queryable, tenantId: string, id: string): Promise<EndpointView> {
  const [found] = await db.query(findEndpoint({ tenantId, id }));
  if (!found) throw notFound('webhook endpoint', id);
  return found;
}

/**
 * Changes an endpoint by a statement, records the change, and gives the endpoint as it is then. Its revision
 * is the digest of how it is shown, because much of that is derived.
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
    assertIfMatch(ifMatch, digestOf(before));
    await tx.query(change);
    const after = await readEndpoint(tx, tenantId, id);
    const changes = difference(before, after, ['state', 'disabledReason', 'maxPerSecond']);
    if (changes) await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], ...changes });
    return after;
  });
}
