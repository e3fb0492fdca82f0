import type { Client } from 'pg';
import { clockOf, fillTable, idSql, inSteps, mixed, msAt, origins, timeAt, type Clock } from './generator';
import type { Sizes } from './sizes';

/** Days that the submissions are from. */
const days = 300;
const origin = origins.submissions;
const firstNames = `array['Ada','Alan','Barbara','Donald','Edward','Frances','Grace','Helen','Ingrid','Jean','Katherine','Leslie','Margaret','Niklaus','Ole','Rachel','Sophie','Tim','Ursula','Victor']`;
const lastNames = `array['Adams','Berg','Castillo','Davis','Evans','Fontaine','Green','Haddad','Ito','Jansen','Kelly','Lopez','Moreau','Nakamura','Oliver','Papadopoulos','Quinn','Rossi','Silva','Tanaka','Underwood','Varga','Weiss','Xu','Young','Zhang']`;

/** The tenant that is filled. */
export interface Tenant {
  tenantId: string;
  /** The form of four fifths of all submissions. */
  formId: string;
}

/** SQL of the id of the submitter `k`, and of its name. */
const submitterId = (clock: Clock, k: string) => idSql(msAt(clock, k), origin, k);
const nameOf = (k: string) =>
  `(${firstNames})[1 + ${mixed(k, 7_919, 20)}] || ' ' || (${lastNames})[1 + ${mixed(k, 104_729, 26)}] || ' ' || ${k}`;
const departmentOf = (k: string) =>
  `case when ${k} % 10000 = 7 then 'Board' else 'Department ' || ${mixed(k, 15_485_863, 50)} end`;

/**
 * Replaces all submissions, submitters, jobs and recorded actions of the service, and the forms of the tenant
 * but its main form.
 */
export async function fillSubmissions(
  database: Client,
  { tenantId, formId }: Tenant,
  sizes: Sizes,
): Promise<void> {
  await database.query('set search_path = submissions');
  await database.query(
    `truncate submission_versions, submissions, submission_counts, submission_count_changes, submission_quarter_forms,
       submission_quarters, submission_quarter_changes, submitters, submitter_counts, submitter_count_changes, jobs, audit, outbox`,
  );
  await database.query('delete from forms where id <> $1', [formId]);
  await database.query('delete from form_versions where form_id <> $1', [formId]);
  const submitters = clockOf(sizes.submitters, days);
  await fillTable(database, 'submitters', () =>
    inSteps(
      database,
      sizes.submitters,
      `insert into submitters (tenant_id, id, auth_provider, external_subject_id, display_id, profile, created_at, modified_at)
       select $3, ${submitterId(submitters, 'k')}, 'External', 'crm-' || k, ${nameOf('k')},
         jsonb_build_object('department', ${departmentOf('k')}), ${timeAt(submitters, 'k')}, ${timeAt(submitters, 'k')}
       from generate_series($1::bigint, $2::bigint) k`,
      [tenantId],
    ),
  );
  await fillForms(database, { tenantId, formId }, sizes);
  const clock = clockOf(sizes.submissions, days);
  await fillTable(database, 'submissions', () =>
    inSteps(database, sizes.submissions, submissionsSql(clock, submitters, sizes), [tenantId, formId]),
  );
  await fillJobs(database, tenantId, sizes.jobs);
  await fillActions(database, tenantId, sizes.actions);
  await database.query('reset search_path');
}

/**
 * $3 tenant, $4 main form. Of a hundred submissions 70 are complete, 25 in progress, 3 screened out, 2 not
 * started; 1 is deleted and 1 a test; every second one has a submitter, the others a token.
 */
const submissionsSql = (clock: Clock, submitters: Clock, sizes: Sizes) => `
  with other_forms as materialized (
    select array_agg(id order by id) as ids from (
      select id from forms where tenant_id = $3 and id <> $4 order by id limit 50) f
  )
  insert into submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
    collection_status, status, submitter_id, submitter_display_id, submitter_profile_snapshot, submitted_by,
    token_hash, token_expires_at, started_at, completed_at, completed_revision, created_at, modified_at, revision, deleted_at)
  select $3, ${idSql(msAt(clock, 'n'), origin, 'n')},
    case when n % 5 > 0 then $4::bigint else other_forms.ids[1 + ${mixed('n', 31, 50)} % cardinality(other_forms.ids)] end,
    state = 'complete', n % 100 = 3, ${mixed('n', 13, 12)},
    '{"rating":' || n % 6 || ',"channel":"' || (array['web','mail','phone','kiosk'])[1 + ${mixed('n', 17, 4)}] || '","order":"A-' || n
      || '","score":' || ${mixed('n', 104_729, 1_000)} || ',"comment":"' || repeat(md5(n::text), 5) || '"}',
    '{"source":"growth","batch":"b' || n / 10000 || '"}', state,
    case when rare < 200 then 'declined' when rare < 700 then 'approved' when rare < 1000 then 'read' else 'new' end,
    case when has_submitter then ${submitterId(submitters, 'k')} end,
    case when has_submitter then ${nameOf('k')} end,
    case when has_submitter then jsonb_build_object('department', ${departmentOf('k')}) end,
    case when has_submitter then (${submitterId(submitters, 'k')})::text end,
    case when not has_submitter then sha256(int8send(n)) end,
    case when not has_submitter then created + interval '30 days' end,
    case when state <> 'not_started' then created end,
    case when state = 'complete' then changed end, case when state = 'complete' then 1 + n % 4 end,
    created, changed, 1 + n % 4,
    case when n % 100 = 57 then now() - ((n / 100) % 10) * interval '1 day' end
  from other_forms, generate_series($1::bigint, $2::bigint) n
  cross join lateral (select ${timeAt(clock, 'n')} as created, ${mixed('n', 1_299_709, 100_000)} as rare,
    n % 2 = 0 as has_submitter, 1 + ${mixed('n', 15_485_863, sizes.submitters)} as k,
    (case when ${mixed('n', 7_919, 100)} < 70 then 'complete' when ${mixed('n', 7_919, 100)} < 95 then 'in_progress'
      when ${mixed('n', 7_919, 100)} < 98 then 'screen_out' else 'not_started' end) as state) a
  cross join lateral (select created + (${mixed('n', 611_953, 3_600)}) * interval '1 second' as changed) b`;

/** Copies of the main form with other names, evenly over the days. */
async function fillForms(database: Client, { tenantId, formId }: Tenant, { forms }: Sizes): Promise<void> {
  const clock = clockOf(forms, days);
  await fillTable(database, 'forms', () =>
    database.query(
      `insert into forms select r.* from forms f cross join generate_series(1, $3::bigint) n
       cross join lateral jsonb_populate_record(f, jsonb_build_object(
         'id', ${idSql(msAt(clock, 'n'), origin, 'n')},
         'name', (array['Survey','Order','Registration','Feedback'])[1 + n % 4] || ' of ' || (${lastNames})[1 + ${mixed('n', 104_729, 26)}] || ' ' || n,
         'created_at', ${timeAt(clock, 'n')}, 'modified_at', ${timeAt(clock, 'n')})) r
       where f.tenant_id = $1 and f.id = $2`,
      [tenantId, formId, forms],
    ),
  );
}

/** Finished jobs of the last week: they expire. */
async function fillJobs(database: Client, tenantId: string, jobs: number): Promise<void> {
  const clock = clockOf(jobs, 7);
  await fillTable(database, 'jobs', () =>
    database.query(
      `insert into jobs (tenant_id, id, kind, state, request, total, done, created_at, finished_at, next_step_at)
       select $1, ${idSql(msAt(clock, 'n'), origin, 'n')}, (array['submission_export','submission_bulk_change'])[1 + n % 2],
         (array['done','done','done','failed','cancelled'])[1 + n % 5], '{}', n % 1000, n % 1000,
         ${timeAt(clock, 'n')}, ${timeAt(clock, 'n')} + interval '1 minute', ${timeAt(clock, 'n')}
       from generate_series(1, $2::bigint) n`,
      [tenantId, jobs],
    ),
  );
}

/** The audit trail: sealed, so that the job that seals has nothing to do. */
async function fillActions(database: Client, tenantId: string, actions: number): Promise<void> {
  const clock = clockOf(actions, days);
  await fillTable(database, 'audit', () =>
    inSteps(
      database,
      actions,
      `insert into audit (tenant_id, id, occurred_at, action, object_type, object_id, actor_provider, actor_kind,
         actor_subject, address, request_id, before, after, day, sequence, hash)
       select $3, ${idSql(msAt(clock, 'n'), origin, 'n')}, ${timeAt(clock, 'n')},
         case when n % 10000 = 7 then 'form.deleted' else (array['form.updated','submission.status_changed'])[1 + n % 2] end,
         (array['form','submission'])[1 + n % 2], (100000000000000 + ${mixed('n', 7_919, 100_000)})::text, 'Service', 'user',
         'user-' || case when n % 10000 = 11 then 'rare' else (n % 20)::text end, '127.0.0.1', md5(n::text), null,
         '{"name":"Survey"}', (${timeAt(clock, 'n')} at time zone 'UTC')::date, n, sha256(int8send(n))
       from generate_series($1::bigint, $2::bigint) n`,
      [tenantId],
    ),
  );
}
