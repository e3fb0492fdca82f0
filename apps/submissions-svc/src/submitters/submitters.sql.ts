import { foldedContains, statement } from '@canvass/postgres';

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

const view = `json_build_object(
  'id', s.id::text, 'authProvider', s.auth_provider, 'externalSubjectId', s.external_subject_id,
  'appUserId', s.app_user_id::text, 'displayId', s.display_id, 'profile', s.profile,
  'createdAt', api_time(s.created_at), 'modifiedAt', api_time(s.modified_at)) as view`;

const matching = `s.tenant_id = $tenantId and ($search::text is null or ${foldedContains('s.folded', '$search')})`;

/**
 * SQL expression: the `ETag` of a respondent, the microsecond of the last resolution. There is no revision.
 */
export const submitterVersion = `(extract(epoch from s.modified_at) * 1000000)::bigint as version`;

export const getSubmitter = statement<
  { tenantId: string; id: string },
  { view: SubmitterView; version: string }
>(
  'submitters_get',
  `select ${view}, ${submitterVersion} from submitters s where s.tenant_id = $tenantId and s.id = $id`,
);

/** Respondents, for pages. `search` is text of the display id, the subject or the profile, or null. */
export const allSubmitters = statement<
  { tenantId: string; search: string | null },
  { id: string; view: SubmitterView }
>('submitters_all', `select s.id, ${view} from submitters s where ${matching}`);
