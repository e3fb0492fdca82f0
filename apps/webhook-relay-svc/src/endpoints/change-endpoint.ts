import { difference, recordAudit } from '@canvass/audit';
import type { Database, PositionalStatement } from '@canvass/postgres';
import { assertIfMatch, digestOf, type IfMatch } from '@canvass/service-kit';
import { lockEndpoint } from './endpoints.sql';
import { readEndpoint, type EndpointView } from './read-endpoints';

/** Which endpoint is changed, and the revisions that the change is conditional on. */
export interface EndpointRef {
  tenantId: string;
  id: string;
  ifMatch: IfMatch;
}

/**
 * Changes an endpoint by a statement that takes tenant, id and `value`, records the change, and gives the
 * endpoint as it is then. Its revision is the digest of how it is shown, because much of that is derived.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export function changeEndpoint(
  db: Database,
  { tenantId, id, ifMatch }: EndpointRef,
  change: PositionalStatement,
  value: unknown,
): Promise<EndpointView> {
  return db.transaction(async (tx) => {
    await tx.query(lockEndpoint, [tenantId, id]);
    const before = await readEndpoint(tx, tenantId, id);
    assertIfMatch(ifMatch, digestOf(before));
    await tx.query(change, [tenantId, id, value]);
    const after = await readEndpoint(tx, tenantId, id);
    const changes = difference(before, after, ['state', 'disabledReason', 'maxPerSecond']);
    if (changes) await recordAudit(tx, { tenantId, object: ['webhook_endpoint', id], ...changes });
    return after;
  });
}
