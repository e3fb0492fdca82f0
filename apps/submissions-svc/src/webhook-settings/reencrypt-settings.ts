import type { SecretBox } from '@canvass/auth';
import type { SealedColumn } from '@canvass/postgres';
import { reencryptSecret, reencryptSettings } from './secrets';
import { mapStoredSecrets } from './stored-secrets';
import type { StoredEvents } from './webhook-settings.sql';

/**
 * The columns that contain secrets of webhooks. Re-encryption does not change the settings: no new version,
 * revision or event. The relay keeps its own copies of them.
 */
export const sealedSettingsColumns = (box: SecretBox): SealedColumn[] => {
  const reencrypt: SealedColumn['reencrypt'] = (text, { tenant_id: tenantId = '' }) =>
    reencryptSettings(box, tenantId, text);
  return [
    { table: 'tenant_settings', column: 'web_hook_settings_json', key: ['tenant_id'], reencrypt },
    { table: 'forms', column: 'web_hook_settings_json', key: ['tenant_id', 'id'], reencrypt },
    {
      table: 'webhook_settings_versions',
      column: 'events',
      key: ['tenant_id', 'scope', 'scope_id', 'version'],
      reencrypt: (text, { tenant_id: tenantId = '' }) => reencryptEvents(box, tenantId, text),
    },
  ];
};

const reencryptEvents = (box: SecretBox, tenantId: string, text: string): string =>
  JSON.stringify(
    mapStoredSecrets(JSON.parse(text) as StoredEvents, (sealed) => reencryptSecret(box, tenantId, sealed)),
  );
