import type { SecretBox } from '@canvass/auth';
import type { SealedColumn } from '@canvass/postgres';
import { reencryptKey, reencryptSettings } from './api-keys';
import type { StoredEvents } from './webhook-settings.sql';

/**
 * The columns that contain API keys of webhooks. Re-encryption does not change the settings: no new version,
 * revision or event. The relay keeps its own copies of the keys.
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

function reencryptEvents(box: SecretBox, tenantId: string, text: string): string {
  const events = JSON.parse(text) as StoredEvents;
  for (const event of Object.values(events)) {
    for (const { authentication } of event?.endpoints ?? []) {
      if (authentication.type === 'ApiKey')
        authentication.apiKey = reencryptKey(box, tenantId, authentication.apiKey);
    }
  }
  return JSON.stringify(events);
}
