import type { SubmissionView } from '@canvass/contracts';
import { insertEventsSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import { sends, settingsInForce } from '../webhook-settings';
import { windowOf } from './form-window.sql';
import { saved } from './save.sql';

/**
 * The one row of a create: the data of the form, and the submission if one was created. If there is neither a
 * submission nor a reason, the statement must run again.
 */
export interface CreateRow {
  is_enabled: boolean;
  is_public: boolean;
  /** The form does not accept submissions yet, or any more. */
  is_before: boolean;
  is_after: boolean;
  opensAt: string | null;
  closesAt: string | null;
  /** The number of submissions that it accepts, if it has them all. */
  full_at: number | null;
  /** The respondent's submission that holds the gate. Then none was created. */
  existing_id: string | null;
  view: SubmissionView | null;
}

export interface CreateValues {
  formId: string;
  /** The tenant of the caller; null for an anonymous one. */
  tenantId: string | null;
  /** The caller may answer a form that is not public. */
  mayAnswerPrivate: boolean;
  /** On a gated form this creates a test submission. */
  mayTest: boolean;
  /** A test on any form. */
  isTest: boolean;
  isComplete: boolean;
  collectionStatus: string;
  currentPage: number;
  jsonData: string;
  metadata: string;
  /** JSON text; null: the answers were not checked. */
  answerFaults: string | null;
  /** Null for a complete submission. */
  tokenHash: Buffer | null;
  /** The own account to which the token is given, see `holderOf`; null for others. */
  tokenHolder: string | null;
  /** Provider, kind and subject of an integration, as JSON text; null for a respondent. */
  createdBy: string | null;
  traceparent: string;
}

export interface RespondentValues {
  authProvider: string;
  externalSubjectId: string;
  appUserId: string | null;
  displayId: string;
  /** JSON text. */
  profile: string;
  /** False: a known respondent keeps display id and profile, because another provider knows them. */
  refreshes: boolean;
}

// One statement is one round trip and one transaction: form, respondent, gate, submission and event are
// written together or not at all.

/**
 * `for key share` makes a create wait for a transaction that turns the gate on (it takes `for update`), and
 * then read the form with the gate. Other updates of the form and creates do not wait for each other.
 */
const form = `
    select f.id, f.tenant_id, f.is_enabled, f.is_public, f.limit_one_per_user, f.revision, ${windowOf('f')}, f.max_submissions,
      coalesce(f.submission_token_expiry_hours, 24) as token_hours, ${settingsInForce} as settings,
      ${sends.saves} as sends_saves
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where f.id = $formId and f.deleted_at is null and ($tenantId::bigint is null or f.tenant_id = $tenantId::bigint)
    for key share of f`;

/** Tests are for those who prepare the form. They take no place. */
const isTest = `($isTest::boolean or (o.limit_one_per_user and $mayTest::boolean))`;

const isOpen = `is_enabled and (is_public or $mayAnswerPrivate::boolean) and ($isTest::boolean or not (is_before or is_after))`;

const columns = `tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata, answer_faults,
      collection_status, previous_collection_status, started_at, token_hash, token_expires_at, completed_at, completed_revision,
      created_by, saved_by, token_holder`;

const values = `o.tenant_id, o.id, $isComplete::boolean, ${isTest}, $currentPage::integer,
      $jsonData, $metadata, $answerFaults::json, $collectionStatus,
      case when $collectionStatus = 'screen_out' then 'in_progress' end,
      case when $collectionStatus <> 'not_started' then now() end,
      $tokenHash::bytea, case when $tokenHash::bytea is not null then now() + make_interval(hours => o.token_hours) end,
      case when $isComplete::boolean then now() end, case when $isComplete::boolean then 1 end,
      $createdBy::json, $createdBy::json, case when $tokenHash::bytea is not null then $tokenHolder::json end`;

const returned = `s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view,
      s.previous_collection_status,
      case when s.is_complete then 'submission.completed'
           when s.collection_status = 'screen_out' then 'submission.collection_status_changed'
           when (select sends_saves from open) then 'submission.saved'
           else 'submission.created' end as event_type`;

const event = insertEventsSql({
  from: 'created c, open o',
  type: 'c.event_type',
  tenantId: 'c.tenant_id',
  entity: 'submission',
  entityId: 'c.id',
  formId: 'c.form_id',
  revision: 'c.revision',
  settings: saved.settings('o.settings'),
  traceparent: '$traceparent',
  data: saved.data,
});

/**
 * Takes a place of a form with a maximum. Creates wait for each other at this row, so that the last place is
 * taken once. The first place of a form that has none counts what is there.
 */
const place = (from: string) => `
    insert into form_places as p (tenant_id, form_id, taken)
    select o.tenant_id, o.id, 1 + case when exists (select from form_places q where q.tenant_id = o.tenant_id and q.form_id = o.id) then 0
      else (select count(*) from submissions s
        where s.tenant_id = o.tenant_id and s.form_id = o.id and s.deleted_at is null and not s.is_test_submission) end
    from ${from} and o.max_submissions is not null and not ${isTest}
    on conflict (tenant_id, form_id) do update set taken = p.taken + 1
      where p.taken < (select max_submissions from open)
    returning taken`;

const hasPlace = `(o.max_submissions is null or ${isTest} or coalesce((select taken from place) <= o.max_submissions, false))`;

const outcome = `f.is_enabled, f.is_public, f.is_before, f.is_after, f."opensAt", f."closesAt", c.view,
    (select o.max_submissions from open o where not ${isTest} and not ${hasPlace}) as full_at`;

/** Nothing is stored of the respondent, and no gate applies. */
export const createAnonymous = statement<CreateValues, CreateRow>(
  'submissions_create_anonymous',
  `with form as (${form}),
  open as (select * from form where ${isOpen}),
  place as (${place('open o where true')}),
  created as (
    insert into submissions as s (${columns})
    select ${values}
    from open o where ${hasPlace}
    returning ${returned}
  ),
  event as (${event})
  select ${outcome}, null as existing_id
  from form f left join created c on true`,
);

/**
 * Inserts or refreshes the respondent, identified by provider and subject within the tenant.
 *
 * The locked form may be newer than the snapshot, in which the other tables are read. A submission that was
 * created just before the gate was turned on holds no key and would be missed. So on a gated form nothing is
 * created unless the locked form is the one of the snapshot: the read without a lock sees that one.
 */
export const createIdentified = statement<CreateValues & RespondentValues, CreateRow>(
  'submissions_create_identified',
  `with form as (${form}),
  open as (
    select * from form where ${isOpen}
      and not (limit_one_per_user and revision is distinct from (
        select s.revision from forms s where s.tenant_id = form.tenant_id and s.id = form.id))
  ),
  submitter as (
    insert into submitters as s (tenant_id, auth_provider, external_subject_id, app_user_id, display_id, profile)
    select o.tenant_id, $authProvider, $externalSubjectId, $appUserId::bigint, $displayId, $profile::jsonb
    from open o
    on conflict (tenant_id, auth_provider, external_subject_id) do update set
      app_user_id = coalesce(excluded.app_user_id, s.app_user_id),
      display_id = case when $refreshes::boolean then excluded.display_id else s.display_id end,
      profile = case when $refreshes::boolean then excluded.profile else s.profile end,
      modified_at = case when $refreshes::boolean then now() else s.modified_at end
    returning id, display_id, profile
  ),
  existing as (
    select held.id from open o, submitter r, lateral (
      select s.id from submissions s
      where s.tenant_id = o.tenant_id and s.form_id = o.id and s.submitter_id = r.id
        and s.deleted_at is null and not s.is_test_submission
      limit 1) held
    where o.limit_one_per_user and not $mayTest::boolean
  ),
  place as (${place('open o where not exists (select from existing)')}),
  created as (
    insert into submissions as s (${columns},
      submitter_id, submitter_display_id, submitter_profile_snapshot, submitted_by, restriction_key)
    select ${values},
      r.id, r.display_id, r.profile, r.id::text,
      case when o.limit_one_per_user and not $mayTest::boolean
        then 'SingleSubmission:Form:' || o.id || ':Submitter:' || r.id end
    from open o, submitter r where not exists (select from existing) and ${hasPlace}
    returning ${returned}
  ),
  event as (${event})
  select ${outcome}, (select id from existing) as existing_id
  from form f left join created c on true`,
);

/** Counts the submissions of a full form again, at most every ten seconds. */
export const findRoom = statement<{ formId: string }, { hasRoom: boolean }>(
  'submissions_find_room',
  `select count_places(f.tenant_id, f.id, interval '10 seconds') < f.max_submissions as "hasRoom"
   from forms f where f.id = $formId and f.deleted_at is null`,
);

/** Two concurrent first submissions of one respondent on a gated form conflict here. */
export const gateConstraint = 'submissions_restriction_key';

/**
 * Two concurrent first submissions of one app user can conflict here. `on conflict` handles its own index
 * only: if the other row appears after its first check, Postgres still inserts into this index and fails.
 */
export const ownUserConstraint = 'submitters_own_user';
