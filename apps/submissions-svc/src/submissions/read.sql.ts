import { statement } from '@canvass/postgres';
import { mostVersions } from './versions';

/** $1 tenant, $2 form, $3 id → view */
export const getSubmission = statement(
  'submissions_get',
  `select submission_json(s) as view
   from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $1 and s.form_id = $2 and s.id = $3 and s.deleted_at is null`,
);

/** $1 form, of any tenant → its tenant */
export const getFormTenant = statement(
  'submissions_get_form_tenant',
  `select f.tenant_id from forms f where f.id = $1 and f.deleted_at is null`,
);

/** $1 tenant, $2 form. Returns its name, or no row if there is no such form. */
export const getFormName = statement(
  'submissions_get_form_name',
  `select f.name from forms f where f.tenant_id = $1 and f.id = $2 and f.deleted_at is null`,
);

/** $1 tenant, $2 form, $3 id. Returns the number of versions, or no row if there is no such submission. */
export const countVersions = statement(
  'submissions_count_versions',
  `select least(${mostVersions}, (
     select count(*) from submission_versions v where v.tenant_id = s.tenant_id and v.submission_id = s.id)) as total
   from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $1 and s.form_id = $2 and s.id = $3 and s.deleted_at is null`,
);

/** $1 tenant, $2 submission, $3 limit, $4 offset → former answers, newest first */
export const listVersions = statement(
  'submissions_list_versions',
  `select v.revision, v.json_data as "jsonData", v.metadata, api_time(v.saved_at) as "savedAt",
     api_time(v.replaced_at) as "replacedAt"
   from (select * from submission_versions where tenant_id = $1 and submission_id = $2
         order by revision desc limit ${mostVersions}) v
   order by v.revision desc limit $3 offset $4`,
);

/**
 * $1 tenant, $2 form. Returns the number of respondents with several submissions, and the number of those.
 */
export const countDuplicates = statement(
  'submissions_count_duplicates',
  `select count(*) as respondents, coalesce(sum(held), 0) as submissions from (
     select count(*) as held from submissions
     where tenant_id = $1 and form_id = $2 and submitter_id is not null and deleted_at is null and not is_test_submission
     group by submitter_id having count(*) > 1) duplicates`,
);
