import { statement } from '@canvass/postgres';

/** $1 tenant, $2 form, $3 id → view */
export const getSubmission = statement(
  'submissions_get',
  `select submission_json(s) as view
   from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $1 and s.form_id = $2 and s.id = $3 and s.deleted_at is null`,
);

/** $1 tenant, $2 form, $3 limit, $4 offset → view, newest first */
export const listSubmissions = statement(
  'submissions_list',
  `select submission_json(s) as view from submissions s
   where s.tenant_id = $1 and s.form_id = $2 and s.deleted_at is null order by s.id desc limit $3 offset $4`,
);

/** $1 tenant, $2 form → one row with the total, none where there is no such form */
export const countSubmissions = statement(
  'submissions_count',
  `select (select count(*) from submissions s where s.tenant_id = f.tenant_id and s.form_id = f.id and s.deleted_at is null) as total
   from forms f where f.tenant_id = $1 and f.id = $2 and f.deleted_at is null`,
);

/** $1 tenant, $2 form → respondents with more than one submission, and how many those have in all */
export const countDuplicates = statement(
  'submissions_count_duplicates',
  `select count(*) as respondents, coalesce(sum(held), 0) as submissions from (
     select count(*) as held from submissions
     where tenant_id = $1 and form_id = $2 and submitter_id is not null and deleted_at is null and not is_test_submission
     group by submitter_id having count(*) > 1) duplicates`,
);
