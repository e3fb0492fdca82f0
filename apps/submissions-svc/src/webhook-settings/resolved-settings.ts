import type { SecretBox } from '@canvass/auth';
import { settingsVersionName, type ResolvedWebhookSettings, type SettingsScope } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { openSecret } from './secrets';
import { mapStoredSecrets } from './stored-secrets';
import { getVersion, latestVersion } from './webhook-settings.sql';

export interface SettingsPlace {
  tenantId: string;
  scope: SettingsScope;
  scopeId: string;
}

/**
 * One version of settings for the relay, with secrets in plain text; `version` null means the newest.
 *
 * @throws {Problem} `not_found` for an unknown version
 */
export async function resolveSettings(
  { db, box }: { db: Database; box: SecretBox },
  { tenantId, scope, scopeId }: SettingsPlace,
  version: string | null,
): Promise<ResolvedWebhookSettings> {
  const place = { tenantId, scope, scopeId };
  const [row] = await db.query(version === null ? latestVersion(place) : getVersion({ ...place, version }));
  if (!row)
    throw notFound(
      'version of webhook settings',
      version === null ? undefined : settingsVersionName({ scope, scopeId, version }),
    );
  return {
    tenantId,
    scope,
    scopeId,
    version: row.version,
    events: mapStoredSecrets(row.events, (sealed) => openSecret(box, tenantId, sealed)),
  };
}
