import { statement } from '@canvass/postgres';

/** The current day; uses per day start at 0 at midnight in UTC. */
const today = `(now() at time zone 'utc')::date`;

export const countForms = statement<{ tenantId: string }, { used: string }>(
  'quotas_count_forms',
  'select count(*) as used from forms where tenant_id = $tenantId and deleted_at is null',
);

const endpoints = `
  select coalesce(sum(json_array_length(event.value->'endpoints')), 0)
  from (
    select 'form' as scope, id as scope_id, webhook_settings_version as version from forms
    where tenant_id = $tenantId and deleted_at is null and webhook_settings_version is not null
    union all
    select 'tenant', tenant_id, webhook_settings_version from tenant_settings
    where tenant_id = $tenantId and webhook_settings_version is not null) in_force
  join webhook_settings_versions v on v.tenant_id = $tenantId and v.scope = in_force.scope
    and v.scope_id = in_force.scope_id and v.version = in_force.version,
  json_each(v.events) event`;

/** Counts the endpoints of the settings in force. */
export const countEndpoints = statement<{ tenantId: string }, { used: string }>(
  'quotas_count_endpoints',
  `select (${endpoints}) as used`,
);

export interface UsesRow {
  submissionsPerDay: string;
  anonymousSubmissionsPerFormAndDay: string;
  /** 0: each process counts its own in memory. */
  anonymousBytesPerFormAddressAndDay: string;
  answerBytes: string;
  forms: string;
  exportBytes: string;
  webhookEndpoints: string;
}

/** Reads uses: of the forms of the tenant, the largest number of anonymous submissions. */
export const readUses = statement<{ tenantId: string }, UsesRow>(
  'quotas_read_uses',
  `select
     coalesce((select submissions from tenant_use where tenant_id = $tenantId and day = ${today}), 0) as "submissionsPerDay",
     coalesce((select max(anonymous) from form_use where tenant_id = $tenantId and day = ${today}), 0)
       as "anonymousSubmissionsPerFormAndDay",
     0 as "anonymousBytesPerFormAddressAndDay",
     coalesce((select greatest(answer_bytes, 0) from tenant_use where tenant_id = $tenantId), 0) as "answerBytes",
     (select count(*) from forms where tenant_id = $tenantId and deleted_at is null) as forms,
     (select coalesce(sum(bytes), 0) from export_parts where tenant_id = $tenantId) as "exportBytes",
     (${endpoints}) as "webhookEndpoints"`,
);

/** The uses that a process has counted since it last sent it, per form. */
export interface SentUses {
  formIds: readonly string[];
  creates: readonly number[];
  anonymous: readonly number[];
  bytes: readonly number[];
}

/** The uses of a form and its tenant today, over all processes. */
export interface UseRow {
  formId: string;
  tenantId: string;
  /** Days since 1970. */
  day: number;
  submissions: string;
  answerBytes: string;
  anonymous: string;
  limits: Record<string, string> | null;
}

/**
 * Adds what a process has counted, and reads the sums. A form that does not exist has no row. The rows are
 * locked in one order, so that processes do not block each other.
 */
export const sendUses = statement<SentUses, UseRow>(
  'quotas_send_uses',
  `with sent as (
    select f.tenant_id, f.id as form_id, s.creates, s.anonymous, s.bytes
    -- Each array in a query of its own: Postgres expects the same length for all values, and keeps the plan.
    from unnest((select $formIds::bigint[]), (select $creates::bigint[]), (select $anonymous::bigint[]), (select $bytes::bigint[]))
      s(form_id, creates, anonymous, bytes)
    join forms f on f.id = s.form_id
  ),
  of_tenants as (
    insert into tenant_use as u (tenant_id, day, submissions, answer_bytes)
    select tenant_id, ${today}, sum(creates), sum(bytes) from sent group by tenant_id order by tenant_id
    on conflict (tenant_id) do update set
      submissions = case when u.day = excluded.day then u.submissions else 0 end + excluded.submissions,
      day = excluded.day,
      answer_bytes = u.answer_bytes + excluded.answer_bytes
    returning tenant_id, day, submissions, answer_bytes
  ),
  of_forms as (
    insert into form_use as u (tenant_id, form_id, day, anonymous)
    select tenant_id, form_id, ${today}, anonymous from sent order by tenant_id, form_id
    on conflict (tenant_id, form_id) do update set
      anonymous = case when u.day = excluded.day then u.anonymous else 0 end + excluded.anonymous,
      day = excluded.day
    returning tenant_id, form_id, anonymous
  )
  select f.form_id as "formId", t.tenant_id as "tenantId", t.day - date '1970-01-01' as day, t.submissions,
    t.answer_bytes as "answerBytes", f.anonymous,
    (select json_object_agg(quota, most::text) from quota_limits l where l.tenant_id = t.tenant_id) as limits
  from of_forms f join of_tenants t on t.tenant_id = f.tenant_id`,
);

export const removeOldFormUses = statement<void>(
  'quotas_remove_old_form_uses',
  `delete from form_use where day < ${today} - 1`,
);

/** Tenants whose answers were not counted for a day. */
export const findToRecount = statement<void, { tenantId: string }>(
  'quotas_find_to_recount',
  `select distinct f.tenant_id as "tenantId" from forms f left join tenant_use u on u.tenant_id = f.tenant_id
   where u.recounted_at is null or u.recounted_at < now() - interval '1 day'`,
);

/**
 * Claims the recount of a tenant. What is counted meanwhile is added to the result. Returns no row if another
 * process began one within the hour.
 */
export const beginRecount = statement<
  { tenantId: string },
  { claimedAt: string; before: string; until: string }
>(
  'quotas_begin_recount',
  `insert into tenant_use as u (tenant_id, day, submissions, answer_bytes, recounted_at)
   values ($tenantId, ${today}, 0, 0, now())
   on conflict (tenant_id) do update set recounted_at = excluded.recounted_at
     where u.recounted_at is null or u.recounted_at < now() - interval '1 hour'
   returning recounted_at::text as "claimedAt", answer_bytes as before, next_id() as until`,
);

const bytes = 'octet_length(json_data) + octet_length(metadata)';

/** Bytes of the next submissions and of their former answers. Postgres reads no out-of-line value for it. */
export const countAnswers = statement<
  { tenantId: string; after: string; until: string; limit: number },
  { last: string | null; bytes: string }
>(
  'quotas_count_answers',
  `with next as (
     select id, ${bytes} as bytes from submissions
     where tenant_id = $tenantId and id > $after and id <= $until order by id limit $limit
   )
   select max(id) as last, coalesce(sum(bytes), 0) + coalesce((
     select sum(${bytes}) from submission_versions
     where tenant_id = $tenantId and submission_id > $after and submission_id <= (select max(id) from next)), 0) as bytes
   from next`,
);

export const endRecount = statement<{ tenantId: string; claimedAt: string; before: string; counted: string }>(
  'quotas_end_recount',
  `update tenant_use set answer_bytes = answer_bytes - $before::bigint + $counted::bigint
   where tenant_id = $tenantId and recounted_at = $claimedAt::timestamptz`,
);
