// cspell:ignore singlesubmission
/** How many tenants, and forms of each; every second form takes one submission per respondent. */
export const shape = { tenants: 20, formsPerTenant: 50 };

/** Tenants 1001…, forms 1…; sequences of an old system, far below the ids of `next_id()`. */
const tenantOf = (form: string) => `(1001 + (${form} - 1) / ${shape.formsPerTenant})`;
const forms = shape.tenants * shape.formsPerTenant;

/** SQL expression: the tenant of the submission with this id. */
export const tenantOfSubmission = (id: string): string => tenantOf(`(1 + (${id} - 1) % ${forms})`);

export const formsSql = `insert into forms (id, tenant_id, name, is_enabled, is_public, limit_one_per_user, definition, data_list_ids)
  select f, ${tenantOf('f')}, 'Legacy form ' || f, true, true, f % 2 = 0, '{"pages":[]}', '{}'
  from generate_series(1, ${forms}) f`;

/**
 * Id of person `p` of a tenant; ids, user ids and subjects of tenants do not overlap, but their digits look
 * alike.
 */
const submitterOf = (tenant: string, person: string) => `(${tenant}::bigint * 10000000 + ${person})`;
const appUserOf = (tenant: string, person: string) =>
  `(700000000000 + ${tenant}::bigint * 10000000 + ${person})`;
const subjectOf = (tenant: string, person: string) =>
  `md5('subject ' || ${tenant} || ' ' || ${person})::uuid::text`;

/**
 * $1 people per tenant. Of four people, two are service-owned users, one comes from the external provider
 * and one is an integration's. Person 0 exists under two external providers, persons -1 and -2 have
 * subjects made of digits.
 */
export const submittersSql = `insert into submitters (id, tenant_id, auth_provider, external_subject_id, app_user_id, display_id, profile)
  select ${submitterOf('t', 'p')}, t,
    case when p % 4 < 2 then 'Service' when p % 4 = 2 then 'Keycloak' else 'Integration' end,
    case when p % 4 < 2 then ${appUserOf('t', 'p')}::text
         when p % 4 = 2 then ${subjectOf('t', 'p')} else 'crm-' || p end,
    case when p % 4 < 2 then ${appUserOf('t', 'p')} end,
    'Respondent ' || p, jsonb_build_object('country', (array['SE', 'PL', 'IT', 'FR'])[1 + p % 4])
  from generate_series(1001, ${1000 + shape.tenants}) t, generate_series(1, $1::int) p
  union all
  select ${submitterOf('t', '9000000 + n')}, t, v.provider, v.subject, null, v.subject, '{}'
  from generate_series(1001, ${1000 + shape.tenants}) t, (values
    (1, 'Keycloak', 'two-homes'), (2, 'Okta', 'two-homes'),
    (3, 'Keycloak', '108234567890123456789'), (4, 'Keycloak', '4711')) v (n, provider, subject)`;

/**
 * $1 from which, $2 up to which row, $3 orphans of a thousand, $4 length of jsonData. Row i is person i /
 * forms on form i % forms; a `twin` is a second answer of the person before. What SubmittedBy says depends
 * on who the person is; one in twenty is a test, one in thirteen anonymous.
 */
export const submissionsSql = `
  with drawn as (
    select i, 1 + i % ${forms} as form, ${tenantOf(`(1 + i % ${forms})`)} as tenant, 1 + i / ${forms} as person,
      hashint8(i) & 1023 as dice, (hashint8extended(i, 7) & 1048575) % 1000 as luck
    from generate_series($1::int, $2::int - 1) i
  ),
  numbered as (
    select d.*, luck < $3 and luck % 10 < 9 as orphan, luck < $3 and luck % 10 = 9 and form % 2 = 0 and person > 1 as twin
    from drawn d
  ),
  said as (
    select n.*, ${submitterOf('tenant', 'person')} as submitter,
      case
        when dice < 78 and not orphan and not twin then null
        when orphan then (array['', '99' || i, '99999999999999999999999' || i, '00' || i, 'gone-' || i || '@example.org',
          'two-homes', '4711', '108234567890123456789', (tenant * 10000000::bigint + 10000001)::text, 'crm-3'])[1 + dice % 10]
        when twin then ${submitterOf('tenant', 'person - 1')}::text
        when person % 4 < 2 and dice % 3 < 2 then ${appUserOf('tenant', 'person')}::text
        when person % 4 = 2 and dice % 3 < 2 then ${subjectOf('tenant', 'person')}
        else ${submitterOf('tenant', 'person')}::text end as submitted_by
    from numbered n
  ),
  states as (
    select s.*, dice % 20 = 7 as is_test,
      -- Some were written by a version that knew submitters already; of those, half carry the old mirror still.
      not orphan and not twin and submitted_by is not null and dice % 16 < 3 as linked, dice % 10 < 8 as complete,
      -- Test rows hold a key too where an old version gave them one.
      form % 2 = 0 and submitted_by is not null and not (orphan and dice % 10 in (0, 5, 6, 7, 8, 9)) and dice % 7 <> 0 as keyed
    from said s
  )
  insert into submissions (id, tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
    collection_status, submitter_id, submitter_display_id, submitted_by, restriction_key, started_at, completed_at,
    completed_revision, created_at, modified_at, revision, deleted_at)
  select i + 1, tenant, form, complete, is_test, dice % 5,
    '{"q1":"' || repeat(md5(i::text), greatest(1, $4::int / 32)) || '"}', '{"source":"legacy"}',
    case when complete then 'complete' when dice % 50 = 9 then 'screen_out' else 'in_progress' end,
    case when linked then submitter end, case when linked then 'Respondent ' || person end,
    case when linked and dice % 16 = 0 then submitter::text else submitted_by end,
    case when twin then 'SingleSubmission/' || form || '/' || i
         when not keyed then null
         when linked and dice % 16 = 0 then 'SingleSubmission:Form:' || form || ':Submitter:' || submitter
         when dice % 97 = 1 then 'singlesubmission/' || form || '/' || submitted_by
         else 'SingleSubmission:Form:' || form || ':User:' || submitted_by end,
    at, case when complete then at end, case when complete then 1 + dice % 3 end, at, at, 1 + dice % 3,
    case when dice % 60 = 11 then at end
  from states, lateral (select timestamptz '2021-01-01 00:00Z' + i % 1000000 * interval '150 seconds' as at) t`;
