import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { lockEndpoint } from '../endpoints';
import { findEndpointOf, resend } from './log.sql';

/**
 * Sends a delivery again, the same bytes under the same id, whatever its status; failures start the
 * schedule again.
 *
 * @throws {Problem} not_found; conflict while it is being sent, if its data was erased, or if its endpoint is
 * removed or disabled
 */
export async function resendDelivery(db: Database, tenantId: string, id: string): Promise<void> {
  const row = await db.transaction(async (tx) => {
    const [delivery] = await tx.query(findEndpointOf({ tenantId, id }));
    if (!delivery) throw notFound('webhook delivery', id);
    const { endpointId, isErased } = delivery;
    if (isErased) throw conflict('The data of its submission was erased.');
    await tx.query(lockEndpoint({ tenantId, id: endpointId }));
    const [found] = await tx.query(resend({ tenantId, endpointId, id }));
    if (found?.isResent) await recordAudit(tx, { tenantId, object: ['webhook_delivery', id] });
    return found;
  });
  if (!row) throw notFound('webhook delivery', id);
  if (row.isResent) return;
  if (row.isRemoved) throw conflict('Its endpoint is no longer in the webhook settings.');
  if (row.isDisabled) throw conflict('Its endpoint is disabled; enable it first.');
  throw conflict('It is being sent at this moment.');
}

const conflict = (detail: string) => new Problem('conflict', { detail });
