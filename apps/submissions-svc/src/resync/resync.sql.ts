import { insertEventsSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';

/** The place after which a page begins. */
interface After {
  tenantId: string;
  id: string;
  limit: number;
}

export interface PageRow {
  tenantId: string;
  id: string;
}

/** A mark of the present among the ids of events and versions. */
export const presentMark = statement<void, { id: string }>('resync_mark', 'select next_id() as id');

/**
 * Waits for open transactions that change forms or settings: their ids can be smaller than the mark. It
 * blocks such changes until its transaction ends, so end it at once.
 */
export const awaitWriters = statement(
  'resync_await_writers',
  'lock table forms, webhook_settings_versions in share mode',
);

const knownTenants = `(
  select tenant_id, greatest(max(revision), 1) as revision from (
    select distinct tenant_id, 0 as revision from forms
    union all select tenant_id, revision from tenant_settings
  ) known group by tenant_id
)`;

/**
 * Adds an event with the current state of each form of a page. The lock waits for changes that are not
 * committed, so that an event of an earlier state cannot follow.
 */
export const resyncForms = statement<After, PageRow>(
  'resync_forms',
  `with page as (
     select f as form, f.tenant_id, f.id from forms f
     where f.deleted_at is null and (f.tenant_id, f.id) > ($tenantId, $id)
     order by f.tenant_id, f.id limit $limit for no key update
   ), added as (${insertEventsSql({
     from: 'page',
     type: `'form.resynced'`,
     tenantId: 'tenant_id',
     entity: 'form',
     entityId: 'id',
     formId: 'id',
     revision: '(form).revision',
     settings: 'null',
     traceparent: 'null',
     data: 'form_json(form)',
   })})
   select tenant_id as "tenantId", id from page order by tenant_id, id`,
);

/** SQL that adds an event for each row of `tenants`. */
const eventOfTenants = (type: string, data: string): string =>
  insertEventsSql({
    from: 'tenants order by tenant_id',
    type: `'${type}'`,
    tenantId: 'tenant_id',
    entity: 'tenant',
    entityId: 'tenant_id',
    formId: 'null::bigint',
    revision: 'revision',
    settings: 'null',
    traceparent: 'null',
    data,
  });

/** Adds an event per tenant: forms without an event since the mark do not exist. */
export const endResyncOfForms = statement<{ since: string }, { tenantId: string }>(
  'resync_forms_end',
  `with tenants as ${knownTenants}, added as (${eventOfTenants('tenant.forms_resynced', `json_build_object('since', $since::text)`)})
   select tenant_id as "tenantId" from tenants`,
);

/**
 * Gives the settings of the forms of a page, or of tenants, a new version with the same content. The relay
 * puts it in force, because it is newer than any version that the relay knows.
 */
const resyncSettings = (scope: 'form' | 'tenant', owner: { table: string; id: string; where: string }) =>
  statement<After, PageRow>(
    `resync_settings_${scope}`,
    `with page as (
       select tenant_id, ${owner.id} as id, greatest(revision, 1) as revision, webhook_settings_version is not null as has_settings
       from ${owner.table}
       where ${owner.where} (tenant_id, ${owner.id}) > ($tenantId, $id)
         and exists (select from webhook_settings_versions v
                     where v.tenant_id = ${owner.table}.tenant_id and v.scope = '${scope}' and v.scope_id = ${owner.table}.${owner.id})
       order by tenant_id, ${owner.id} limit $limit for no key update
     ), made as (
       insert into webhook_settings_versions (tenant_id, scope, scope_id, version, events)
       select page.tenant_id, '${scope}', page.id, next_id(), latest.events
       from page cross join lateral (
         select events from webhook_settings_versions v
         where v.tenant_id = page.tenant_id and v.scope = '${scope}' and v.scope_id = page.id
         order by version desc limit 1) as latest
       returning tenant_id, scope_id as id, version
     ), moved as (
       update ${owner.table} as o set webhook_settings_version = made.version
       from made join page using (tenant_id, id)
       where o.tenant_id = made.tenant_id and o.${owner.id} = made.id and page.has_settings
     ), added as (${insertEventsSql({
       from: 'page join made using (tenant_id, id)',
       type: `'${scope}.webhook_settings_changed'`,
       tenantId: 'tenant_id',
       entity: scope,
       entityId: 'id',
       formId: scope === 'form' ? 'id' : 'null::bigint',
       revision: 'revision',
       settings: 'null',
       traceparent: 'null',
       data: `json_build_object('scope', '${scope}', 'scopeId', id::text, 'version', version::text)`,
     })})
     select tenant_id as "tenantId", id from page order by tenant_id, id`,
  );

export const resyncFormSettings = resyncSettings('form', {
  table: 'forms',
  id: 'id',
  where: 'deleted_at is null and',
});
export const resyncTenantSettings = resyncSettings('tenant', {
  table: 'tenant_settings',
  id: 'tenant_id',
  where: '',
});

/** Adds an event per tenant with the scopes that have settings: older settings of others do not exist. */
export const endResyncOfSettings = statement<{ since: string }, { tenantId: string }>(
  'resync_settings_end',
  `with tenants as (
     select t.tenant_id, t.revision, array(
       select distinct v.scope_id::text from webhook_settings_versions v where v.tenant_id = t.tenant_id) as scopes
     from ${knownTenants} t
   ), added as (${eventOfTenants('tenant.settings_resynced', `json_build_object('since', $since::text, 'scopeIds', scopes)`)})
   select tenant_id as "tenantId" from tenants`,
);
