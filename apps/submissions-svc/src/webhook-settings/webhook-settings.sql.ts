import { statement } from '@canvass/postgres';

/**
 * SQL expression: the settings that govern the events of form `f`, whose tenant's settings record is
 * left-joined as `t`. The override of the form wins, even an empty one; null without settings. Shape:
 * `SettingsRef`.
 */
export const settingsInForce = `
  case when f.webhook_settings_version is not null
    then json_build_object('scope', 'form', 'scopeId', f.id::text, 'version', f.webhook_settings_version::text)
  when t.webhook_settings_version is not null
    then json_build_object('scope', 'tenant', 'scopeId', t.tenant_id::text, 'version', t.webhook_settings_version::text)
  end`;

export interface TenantSettingsRow {
  web_hook_settings_json: string | null;
  webhook_settings_version: string | null;
  revision: string;
}

/** $1 tenant */
export const getTenantSettings = statement(
  'tenant_settings_get',
  `select web_hook_settings_json, webhook_settings_version, revision from tenant_settings where tenant_id = $1`,
);

/** $1 tenant. Creates the record if it is missing, so that there is a row to lock. */
export const ensureTenantSettings = statement(
  'tenant_settings_ensure',
  `insert into tenant_settings (tenant_id, revision) values ($1, 0) on conflict do nothing`,
);

/** $1 tenant */
export const lockTenantSettings = statement(
  'tenant_settings_lock',
  `select web_hook_settings_json, webhook_settings_version, revision from tenant_settings where tenant_id = $1 for update`,
);

/** $1 tenant, $2 settings text or null, $3 version or null → the record */
export const updateTenantSettings = statement(
  'tenant_settings_update',
  `update tenant_settings set web_hook_settings_json = $2, webhook_settings_version = $3, modified_at = now(),
     revision = revision + 1
   where tenant_id = $1
   returning web_hook_settings_json, webhook_settings_version, revision`,
);

export interface VersionRow {
  version: string;
  events: StoredEvents;
}

/** `ResolvedWebhookSettings.events` with sealed API keys. */
export type StoredEvents = Partial<Record<string, { isEnabled: boolean; endpoints: StoredEndpoint[] }>>;

interface StoredEndpoint {
  endpointId: string;
  url: string;
  authentication: { type: 'None' } | { type: 'ApiKey'; header: string; apiKey: string };
}

/** $1 tenant, $2 scope, $3 scope id → the newest version */
export const latestVersion = statement(
  'webhook_settings_latest',
  `select version, events from webhook_settings_versions
   where tenant_id = $1 and scope = $2 and scope_id = $3 order by version desc limit 1`,
);

/** $1 tenant, $2 scope, $3 scope id, $4 version */
export const getVersion = statement(
  'webhook_settings_version',
  `select version, events from webhook_settings_versions
   where tenant_id = $1 and scope = $2 and scope_id = $3 and version = $4`,
);

/** $1 tenant, $2 scope, $3 scope id, $4 version, $5 events */
export const insertVersion = statement(
  'webhook_settings_insert',
  `insert into webhook_settings_versions (tenant_id, scope, scope_id, version, events) values ($1, $2, $3, $4, $5)`,
);

/** $1 how many */
export const newEndpointIds = statement(
  'webhook_settings_endpoint_ids',
  `select next_id() as id from generate_series(1, $1::integer)`,
);
