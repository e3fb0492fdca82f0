import type {
  EndpointScope,
  EventCondition,
  SettingsRef,
  WebhookFormat,
  WebhookPayload,
} from '@canvass/contracts';
import { statement } from '@canvass/postgres';

/** What has versions of its own. */
export interface Scope {
  tenantId: string;
  scope: EndpointScope;
  scopeId: string;
}
type Version = Scope & { version: string };

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
   where tenant_id = $tenantId and scope <> 'alerts' and version < $since::bigint and scope_id <> all ($scopeIds::bigint[])`,
);

/** A target as `insertTargets` takes it. */
export interface TargetRow {
  event_name: string;
  endpoint_id: string;
  is_enabled: boolean;
  url: string;
  conditions: EventCondition[] | null;
  payload: WebhookPayload;
  format: WebhookFormat;
  credentials_sealed: string | null;
}

/** `targets`: JSON array of TargetRow. An endpoint that one event lists twice gets one delivery. */
export const insertTargets = statement<Version & { targets: string }>(
  'insert_settings_targets',
  `insert into settings_targets (tenant_id, scope, scope_id, version, event_name, endpoint_id, is_enabled, url,
                                 conditions, payload, format, credentials_sealed)
   select $tenantId, $scope, $scopeId, $version, g.*
   from json_to_recordset($targets::json) as g (event_name text, endpoint_id bigint, is_enabled boolean, url text,
                                          conditions json, payload text, format text, credentials_sealed text)
   on conflict do nothing`,
);

/** An endpoint of an event with settings that the fan-out must look at. */
export interface SpecialTarget {
  endpointId: string;
  conditions: EventCondition[] | null;
  wantsTexts: boolean;
}

export const findSpecialTargets = statement<Version & { eventName: string }, SpecialTarget>(
  'find_special_targets',
  `select endpoint_id as "endpointId", conditions, payload = 'answersText' as "wantsTexts"
   from settings_targets
   where ${ofScope} and version = $version and event_name = $eventName and is_enabled
     and (conditions is not null or payload = 'answersText')`,
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
 * Marks the endpoints of a scope that the version does not name as removed, and the others as not removed.
 * Deliveries that wait for removed ones are cancelled afterwards, in steps (`cancel_removed`).
 */
export const markEndpoints = statement<Version>(
  'mark_endpoints',
  `with named as (
     select distinct endpoint_id as id from settings_targets where ${ofScope} and version = $version
   ), changed as (
     select e.id from endpoints e
     where ${ofScope} and (e.removed_at is null) <> (e.id in (select id from named)) order by e.id for no key update
   )
   update endpoints e set
     removed_at = case when e.removed_at is null then now() end, modified_at = now()
   from changed c where e.tenant_id = $tenantId and e.id = c.id`,
);
