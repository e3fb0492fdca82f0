import type { SecretBox } from '@canvass/auth';
import type { SealedColumn } from '@canvass/postgres';
import { renewKey, renewSettings } from './api-keys';
import type { StoredEvents } from './webhook-settings.sql';

/**
 * Where API keys of webhooks are kept. Sealing them anew changes no settings: no version, no revision, no event; the
 * relay goes on with its own copies.
 */
export const sealedSettingsColumns = (box: SecretBox): SealedColumn[] => {
  const renew: SealedColumn['renew'] = (text, { tenant_id: tenantId = '' }) =>
    renewSettings(box, tenantId, text);
  return [
    { table: 'tenant_settings', column: 'web_hook_settings_json', key: ['tenant_id'], renew },
    { table: 'forms', column: 'web_hook_settings_json', key: ['tenant_id', 'id'], renew },
    {
      table: 'webhook_settings_versions',
      column: 'events',
      key: ['tenant_id', 'scope', 'scope_id', 'version'],
      renew: (text, { tenant_id: tenantId = '' }) => renewEvents(box, tenantId, text),
    },
  ];
};

function renewEvents(box: SecretBox, tenantId: string, text: string): string {
  const events = JSON.parse(text) as StoredEvents;
  for (const event of Object.values(events)) {
    for (const { authentication } of event?.endpoints ?? []) {
      if (authentication.type === 'ApiKey')
        authentication.apiKey = renewKey(box, tenantId, authentication.apiKey);
    }
  }
  return JSON.stringify(events);
}
