import { statement } from '@canvass/postgres';

/** A row in the API. */
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
 * CTE `submitter (id)`: inserts or refreshes the respondent, identified by provider and subject within the
 * tenant in the single row of `owner (tenant_id)`. If `owner` is empty, it is empty.
 */
export const upsertSubmitter = (owner: string, p: SubmitterParameters): string => `
  submitter as (
    insert into submitters as s (tenant_id, auth_provider, external_subject_id, app_user_id, display_id, profile)
    select o.tenant_id, ${p.authProvider}, ${p.externalSubjectId}, ${p.appUserId}::bigint, ${p.displayId}, ${p.profile}::jsonb
    from ${owner} o
    on conflict (tenant_id, auth_provider, external_subject_id) do update set
      app_user_id = coalesce(excluded.app_user_id, s.app_user_id),
      display_id = excluded.display_id, profile = excluded.profile, modified_at = now()
    returning id
  )`;

const view = `json_build_object(
  'id', s.id::text, 'authProvider', s.auth_provider, 'externalSubjectId', s.external_subject_id,
  'appUserId', s.app_user_id::text, 'displayId', s.display_id, 'profile', s.profile,
  'createdAt', api_time(s.created_at), 'modifiedAt', api_time(s.modified_at)) as view`;

const matching = `s.tenant_id = $1 and ($2::text is null or strpos(lower(s.display_id), lower($2)) > 0)`;

/**
 * SQL expression: the `ETag` of a respondent, the microsecond of the last resolution. There is no revision.
 */
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
