import type { SettingsRef } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { changedEndpoint, endpointEvent, outboxColumns } from '../operational-events.sql';

type Scope = { tenantId: string } & Omit<SettingsRef, 'version'>;
type Version = { tenantId: string } & SettingsRef;

export interface KnownSettings {
  stored: boolean;
  /** A newer version is in force. */
  overtaken: boolean;
}

const ofScope = 'tenant_id = $tenantId and scope = $scope and scope_id = $scopeId';

export const findSettings = statement<Version, KnownSettings>(
  'find_settings',
  `select exists (select from settings_versions where ${ofScope} and version = $version) as stored,
          exists (select from settings_current where ${ofScope} and version > $version) as overtaken`,
);

/**
 * Keeps the retention from removing the version while events that name it come. None where it has done so
 * already.
 */
export const keepVersion = statement<Version, { version: string }>(
  'keep_settings_version',
  `update settings_versions set fetched_at = now() where ${ofScope} and version = $version returning version`,
);

export const insertVersion = statement<Version>(
  'insert_settings_version',
  `insert into settings_versions (tenant_id, scope, scope_id, version)
   values ($tenantId, $scope, $scopeId, $version) on conflict do nothing`,
);

/**
 * `endpoints`: JSON array of { id, url, secret }. A secret is kept only for an endpoint that this statement
 * made.
 */
export const insertEndpoints = statement<Scope & { endpoints: string }>(
  'insert_endpoints',
  `with given as (
     select * from json_to_recordset($endpoints::json) as g (id bigint, url text, secret text)
   ), made as (
     insert into endpoints (tenant_id, id, scope, scope_id, url)
     select $tenantId, id, $scope, $scopeId, url from given order by id
     on conflict do nothing
     returning id
   )
   insert into endpoint_secrets (tenant_id, endpoint_id, sealed)
   select $tenantId, id, secret from made join given using (id)`,
);

/** Scopes of a tenant, but not these, whose settings in force have a smaller version. */
export const findLostScopes = statement<
  { tenantId: string; since: string; scopeIds: readonly string[] },
  Omit<SettingsRef, 'version'>
>(
  'find_lost_scopes',
  `select scope, scope_id as "scopeId" from settings_current
   where tenant_id = $tenantId and version < $since::bigint and scope_id <> all ($scopeIds::bigint[])`,
);

/** A target as `insertTargets` takes it. */
export interface TargetRow {
  event_name: string;
  endpoint_id: string;
  is_enabled: boolean;
  url: string;
  auth_header: string | null;
  api_key_sealed: string | null;
}

/** `targets`: JSON array of TargetRow. An endpoint that one event lists twice gets one delivery. */
export const insertTargets = statement<Version & { targets: string }>(
  'insert_settings_targets',
  `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url,
                                 auth_header, api_key_sealed)
   select $tenantId, $scope, $scopeId, $version, g.*
   from json_to_recordset($targets::json) as g (event_name text, endpoint_id bigint, is_enabled boolean, url text,
                                          auth_header text, api_key_sealed text)
   on conflict do nothing`,
);

/**
 * Returns the version that is in force now: this one, or a newer one that is known. It locks the row of the
 * scope.
 */
export const makeCurrent = statement<Version, { version: string }>(
  'make_settings_current',
  `insert into settings_current as c (tenant_id, scope, scope_id, version) values ($tenantId, $scope, $scopeId, $version)
   on conflict (tenant_id, scope, scope_id) do update set version = greatest(c.version, excluded.version)
   returning c.version`,
);

/**
 * Puts the endpoints of a scope in the state of the version: removed if it does not name them. Their
 * waiting deliveries are cancelled afterwards, in steps (`cancel_removed`). Another URL is another
 * receiver, so health and disabling by 410 or failures end, and an event reports the recovery. Only a
 * person enables what a person disabled.
 */
export const markEndpoints = statement<Version>(
  'mark_endpoints',
  `with named as (
     select endpoint_id as id, min(url) as url from settings_targets
     where ${ofScope} and version = $version
     group by endpoint_id
   ), was as materialized ( -- locked, else it would not show what this statement waits for
     select * from endpoints where ${ofScope} order by id for no key update
   ), marked as (
     update endpoints e set
       url = coalesce(named.url, e.url),
       removed_at = case when named.id is null then coalesce(e.removed_at, now()) end,
       failing_since = case when named.url is not distinct from was.url or named.url is null then e.failing_since end,
       disabled_at = case when moved.is_reset then null else e.disabled_at end,
       disabled_reason = case when moved.is_reset then null else e.disabled_reason end,
       failures = case when named.url <> was.url then 0 else e.failures end,
       slots = case when named.url <> was.url then e.max_in_flight else e.slots end,
       resume_at = case when named.url <> was.url then null else e.resume_at end,
       reported_failing = case when named.url <> was.url then false else e.reported_failing end,
       revision = e.revision
         + coalesce(moved.is_reset or named.url <> was.url and e.disabled_at is null and e.reported_failing, false)::integer,
       modified_at = now()
     from was left join named on named.id = was.id
       cross join lateral (select named.url <> was.url and was.disabled_reason <> 'manual' as is_reset) moved
     where e.tenant_id = was.tenant_id and e.id = was.id
       and (e.url, e.removed_at is null) is distinct from (coalesce(named.url, e.url), named.id is not null)
     returning ${changedEndpoint}, was.failing_since, e.revision > was.revision as is_news
   ), recovered as (
     select * from marked where is_news
   )
   insert into outbox ${outboxColumns}
   ${endpointEvent('recovered', { type: `'webhook.endpoint_recovered'`, traceparent: 'null', more: `'reason', 'moved'` })}`,
);
