import type { WebhookSettings } from '@canvass/contracts';
import type { Tx } from '@canvass/postgres';
import { countEndpoints, type SubmissionsQuotas } from '../quotas';
import { endpointsOf } from './endpoints';
import type { StoredSettings } from './save-version';

const endpointCount = (json: string | null): number =>
  json === null ? 0 : endpointsOf(JSON.parse(json) as WebhookSettings).length;

/**
 * Call it after the settings of a form or the tenant were stored. A change that adds no endpoint is not
 * refused.
 *
 * @throws {Problem} `quota_exceeded`
 */
export async function assertEndpointQuota(
  tx: Tx,
  quotas: SubmissionsQuotas,
  tenantId: string,
  { before, after }: Record<'before' | 'after', StoredSettings['json']>,
): Promise<void> {
  if (before === after) return;
  const added = endpointCount(after) - endpointCount(before);
  await quotas.assertRoom(tx, tenantId, 'webhookEndpoints', countEndpoints({ tenantId }), added);
}
