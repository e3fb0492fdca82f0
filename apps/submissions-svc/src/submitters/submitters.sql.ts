import { statement } from '@canvass/postgres';

/** A row as the API shows it. */
export interface SubmitterView {
  id: string;
  authProvider: string;
  externalSubjectId: string;
  appUserId: string | null;
  displayId: string;
  profile: Record<string, string>;
  createdAt: string;
  modifiedAt: string;
}

/** Numbers of the five parameters in the surrounding statement. */
export interface SubmitterParameters {
  authProvider: string;
  externalSubjectId: string;
  appUserId: string;
  displayId: string;
  profile: string;
}

/**
 * CTEs that end in `submitter (id)`: the respondent of the one row of `owner (tenant_id)`, made or refreshed. No row of
 * `owner`, no submitter. None also where a twin made it at the same moment: the caller runs its statement again.
 *
 * (AuthProvider, ExternalSubjectId) is looked for before AppUserId, so that an integration's own record of a person
 * stays the one it finds; a service-owned user has one record under either.
 */
export const upsertSubmitter = (owner: string, p: SubmitterParameters): string => `
  known as (
    select id from (
      select s.id, 1 as choice from ${owner} o join submitters s on s.tenant_id = o.tenant_id
        and s.auth_provider = ${p.authProvider} and s.external_subject_id = ${p.externalSubjectId}
      union all
      select s.id, 2 from ${owner} o join submitters s on s.tenant_id = o.tenant_id
        and s.app_user_id = ${p.appUserId}::bigint
    ) found order by choice limit 1
  ),
  refreshed as (
    update submitters s set
      display_id = ${p.displayId}, profile = ${p.profile}::jsonb, modified_at = now(),
      app_user_id = coalesce(s.app_user_id, (
        select ${p.appUserId}::bigint where not exists (
          select from submitters o where o.tenant_id = s.tenant_id and o.app_user_id = ${p.appUserId}::bigint)))
    from known k, ${owner} o where s.tenant_id = o.tenant_id and s.id = k.id
    returning s.id
  ),
  inserted as (
    insert into submitters (tenant_id, auth_provider, external_subject_id, app_user_id, display_id, profile)
    select o.tenant_id, ${p.authProvider}, ${p.externalSubjectId}, ${p.appUserId}::bigint, ${p.displayId}, ${p.profile}::jsonb
    from ${owner} o where not exists (select from known)
    on conflict do nothing
    returning id
  ),
  submitter as (select id from refreshed union all select id from inserted)`;

/** Unique constraints at which two resolutions of one respondent can meet; the loser tries again. */
export const submitterConstraints = ['submitters_subject', 'submitters_app_user'];

const view = `json_build_object(
  'id', s.id::text, 'authProvider', s.auth_provider, 'externalSubjectId', s.external_subject_id,
  'appUserId', s.app_user_id::text, 'displayId', s.display_id, 'profile', s.profile,
  'createdAt', api_time(s.created_at), 'modifiedAt', api_time(s.modified_at)) as view`;

const matching = `s.tenant_id = $1 and ($2::text is null or strpos(lower(s.display_id), lower($2)) > 0)`;

/** SQL expression: what the `ETag` of a respondent tells, the microsecond of the last resolution; there is no revision. */
export const submitterVersion = `(extract(epoch from s.modified_at) * 1000000)::bigint as version`;

/** $1 tenant, $2 id → view, version */
export const getSubmitter = statement(
  'submitters_get',
  `select ${view}, ${submitterVersion} from submitters s where s.tenant_id = $1 and s.id = $2`,
);

/** $1 tenant, $2 text within the display id or null, $3 limit, $4 offset → view, newest first */
export const listSubmitters = statement(
  'submitters_list',
  `select ${view} from submitters s where ${matching} order by s.id desc limit $3 offset $4`,
);

/** $1 tenant, $2 text within the display id or null → total */
export const countSubmitters = statement(
  'submitters_count',
  `select count(*) as total from submitters s where ${matching}`,
);
