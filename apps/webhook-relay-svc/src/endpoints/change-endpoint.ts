import { difference, recordAudit } from '@canvass/audit';
import type { BoundStatement, Database } from '@canvass/postgres';
import { assertIfMatch, digestOf, type IfMatch } from '@canvass/service-kit';
import { lockEndpoint, type EndpointView } from './endpoints.sql';
import { readEndpoint } from './read-endpoints';

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
