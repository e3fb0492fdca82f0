import type { SecretBox } from '@canvass/auth';
import { webhookEvents, type ResolvedWebhookSettings } from '@canvass/contracts';
import type { Database, Tx } from '@canvass/postgres';
import { credentialsOf } from './credentials';
import { credentialsContext, newSigningSecret, signingSecretContext } from './secrets';
import {
  insertEndpoints,
  insertTargets,
  insertVersion,
  makeCurrent,
  markEndpoints,
  type Scope,
  type TargetRow,
} from './settings.sql';

/**
 * Stores a fetched version and, unless a newer one is known, puts it in force: new endpoints get a signing
 * secret each, and those that are not in the version in force are marked as removed. Storing a version
 * twice, or two versions in the wrong order, is harmless. The transaction is short whatever waits for the
 * endpoints, because each result of their deliveries waits for it.
 */
export async function storeSettings(
  db: Database,
  box: SecretBox,
  settings: ResolvedWebhookSettings,
): Promise<void> {
  const { tenantId, scope, scopeId, version } = settings;
  const targets = targetsOf(settings, box);
  await db.transaction((tx) => storeVersion(tx, box, { tenantId, scope, scopeId }, version, targets));
}

/** The same for targets, in a transaction. */
export async function storeVersion(
  tx: Tx,
  box: SecretBox,
  place: Scope,
  version: string,
  targets: TargetRow[],
): Promise<void> {
  const { tenantId } = place;
  const endpoints = [...new Map(targets.map((target) => [target.endpoint_id, target])).values()]
    // One order everywhere, so that two relays that store at the same time do not deadlock.
    .sort((a, b) => (BigInt(a.endpoint_id) < BigInt(b.endpoint_id) ? -1 : 1))
    .map(({ endpoint_id: endpointId, url }) => ({
      id: endpointId,
      url,
      secret: box.seal(newSigningSecret(), signingSecretContext({ tenantId, endpointId })),
    }));

  await tx.query(insertVersion({ ...place, version }));
  await tx.query(insertEndpoints({ ...place, endpoints: JSON.stringify(endpoints) }));
  await tx.query(insertTargets({ ...place, version, targets: JSON.stringify(targets) }));
  const [inForce] = await tx.query(makeCurrent({ ...place, version }));
  // For an older version too: it may have added endpoints that are no longer in the settings.
  await tx.query(markEndpoints({ ...place, version: inForce!.version }));
}

function targetsOf({ tenantId, events }: ResolvedWebhookSettings, box: SecretBox): TargetRow[] {
  return Object.values(webhookEvents).flatMap(({ settingsName, eventName }) => {
    const event = events[settingsName];
    return (event?.endpoints ?? []).map((endpoint) => {
      const { endpointId, url, conditions = null, payload = 'full', format = 'canvass' } = endpoint;
      const credentials = credentialsOf(endpoint);
      return {
        event_name: eventName,
        endpoint_id: endpointId,
        is_enabled: event!.isEnabled,
        url,
        conditions,
        payload,
        format,
        credentials_sealed:
          credentials && box.seal(JSON.stringify(credentials), credentialsContext({ tenantId, endpointId })),
      };
    });
  });
}
