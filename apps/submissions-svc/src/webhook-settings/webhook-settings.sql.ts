import type { ResolvedWebhookEndpoint, SettingsScope } from '@canvass/contracts';
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

/**
 * SQL conditions: these settings have an endpoint for `SubmissionUpdated` and `SubmissionStatusChanged`. Of
 * changes that no endpoint asks for only ids cross RabbitMQ.
 */
export const sends = {
  saves: 'coalesce(f.sends_saves, t.sends_saves, false)',
  reviews: 'coalesce(f.sends_reviews, t.sends_reviews, false)',
};

export interface TenantSettingsRow {
  web_hook_settings_json: string | null;
  webhook_settings_version: string | null;
  revision: string;
}

export const getTenantSettings = statement<{ tenantId: string }, TenantSettingsRow>(
  'tenant_settings_get',
  `select web_hook_settings_json, webhook_settings_version, revision from tenant_settings where tenant_id = $tenantId`,
);

/** Creates the record if it is missing, so that there is a row to lock. */
export const ensureTenantSettings = statement<{ tenantId: string }>(
  'tenant_settings_ensure',
  `insert into tenant_settings (tenant_id, revision) values ($tenantId, 0) on conflict do nothing`,
);

export const lockTenantSettings = statement<{ tenantId: string }, TenantSettingsRow>(
  'tenant_settings_lock',
  `select web_hook_settings_json, webhook_settings_version, revision from tenant_settings where tenant_id = $tenantId for update`,
);

export const updateTenantSettings = statement<
  { tenantId: string; json: string | null; version: string | null },
  TenantSettingsRow
>(
  'tenant_settings_update',
  `update tenant_settings set web_hook_settings_json = $json, webhook_settings_version = $version, modified_at = now(),
     revision = revision + 1
   where tenant_id = $tenantId
   returning web_hook_settings_json, webhook_settings_version, revision`,
);

export interface VersionRow {
  version: string;
  events: StoredEvents;
}

/** `ResolvedWebhookSettings.events` with sealed secrets. */
export type StoredEvents = Partial<
  Record<string, { isEnabled: boolean; endpoints: ResolvedWebhookEndpoint[] }>
>;

/** The newest version. */
export const latestVersion = statement<
  { tenantId: string; scope: SettingsScope; scopeId: string },
  VersionRow
>(
  'webhook_settings_latest',
  `select version, events from webhook_settings_versions
   where tenant_id = $tenantId and scope = $scope and scope_id = $scopeId order by version desc limit 1`,
);

export const getVersion = statement<
  { tenantId: string; scope: SettingsScope; scopeId: string; version: string },
  VersionRow
>(
  'webhook_settings_version',
  `select version, events from webhook_settings_versions
   where tenant_id = $tenantId and scope = $scope and scope_id = $scopeId and version = $version`,
);

/**
 * Versions are ids, which grow with the time: after a restore to the past no number is used twice for
 * different settings, because the relay fetches a version once.
 */
export const insertVersion = statement<
  { tenantId: string; scope: SettingsScope; scopeId: string; events: string },
  { version: string }
>(
  'webhook_settings_insert',
  `insert into webhook_settings_versions (tenant_id, scope, scope_id, version, events)
   values ($tenantId, $scope, $scopeId, next_id(), $events) returning version`,
);

export const newEndpointIds = statement<{ count: number }, { id: string }>(
  'webhook_settings_endpoint_ids',
  `select next_id() as id from generate_series(1, $count::integer)`,
);
