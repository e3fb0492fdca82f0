import { laneSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import { settingsInForce } from '../webhook-settings';
import { upsertSubmitter } from '../submitters';
import type { SubmissionView } from '@canvass/contracts';

/**
 * The one row of a create: the data of the form, and the submission if one was created. Without submission
 * and reason, run it again.
 */
export interface CreateRow {
  is_enabled: boolean;
  is_public: boolean;
  /** The respondent's submission that holds the gate. Then none was created. */
  existing_id: string | null;
  view: SubmissionView | null;
}

/**
 * Parameters: $1 form, $2 tenant of the caller or null for an anonymous one, $3 is complete, $4 collection
 * status, $5 page, $6 jsonData, $7 metadata, $8 hash of the token or null, $9 traceparent, $10 whether a
 * gated form gets a test submission, $11 whether the caller may answer a form that is not public; for an
 * identified respondent $12 provider, $13 subject, $14 app user or null, $15 display id, $16 profile.
 *
 * One statement is one round trip and one transaction: form, respondent, gate, row and event stand or fall
 * together.
 *
 * `for key share` makes a create wait for a transaction that turns the gate on (it takes `for update`) and
 * then see the gate; ordinary updates of the form do not wait for creates, nor creates for them. The foreign
 * key takes that lock anyway. What it sees then is newer than all else the statement sees: a submission made
 * just before the gate, which holds no key, would be missed. So on a gated form nothing is made where the
 * locked form is not the one of the statement's snapshot.
 */
const create = (identified: boolean): string => `
  with form as (
    select f.id, f.tenant_id, f.is_enabled, f.is_public, f.limit_one_per_user, f.revision,
      coalesce(f.submission_token_expiry_hours, 24) as token_hours, ${settingsInForce} as settings
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where f.id = $1 and f.deleted_at is null and ($2::bigint is null or f.tenant_id = $2::bigint)
    for key share of f
  ),
  open as (
    select * from form where is_enabled and (is_public or $11::boolean)${identified ? notStale : ''}
  ),
  ${identified ? respondent : ''}
  created as (
    insert into submissions as s (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
      collection_status, previous_collection_status, started_at, token_hash, token_expires_at, completed_at, completed_revision
      ${identified ? ', submitter_id, submitter_display_id, submitter_profile_snapshot, submitted_by, restriction_key' : ''})
    select o.tenant_id, o.id, $3::boolean, o.limit_one_per_user and $10::boolean, $5::integer, $6, $7, $4,
      case when $4 = 'screen_out' then 'in_progress' end, case when $4 <> 'not_started' then now() end,
      $8::bytea, case when $8::bytea is not null then now() + make_interval(hours => o.token_hours) end,
      case when $3::boolean then now() end, case when $3::boolean then 1 end
      ${identified ? respondentColumns : ''}
    from open o ${identified ? ', submitter r where not exists (select from existing)' : ''}
    returning s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view, submission_status_event_json(s) as status_view,
      case when s.is_complete then 'submission.completed'
           when s.collection_status = 'screen_out' then 'submission.collection_status_changed'
           else 'submission.created' end as event_type
  ),
  event as (
    insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data)
    select ${laneSql('c.id')}, c.event_type, c.tenant_id, 'submission', c.id, c.form_id, c.revision,
      case when c.event_type <> 'submission.created' then o.settings end, $9,
      case when c.event_type = 'submission.collection_status_changed' then c.status_view else c.view end
    from created c, open o
  )
  select f.is_enabled, f.is_public, c.view,
    ${identified ? '(select id from existing)' : 'null'} as existing_id
  from form f left join created c on true`;

/** A read without a lock sees the form in the snapshot of the statement. */
const notStale = `
      and not (limit_one_per_user and revision is distinct from (select s.revision from forms s where s.id = $1))`;

const respondent = `${upsertSubmitter('open', {
  authProvider: '$12',
  externalSubjectId: '$13',
  appUserId: '$14',
  displayId: '$15',
  profile: '$16',
})},
  existing as (
    select held.id from open o, submitter r, lateral (
      select s.id from submissions s
      where s.tenant_id = o.tenant_id and s.form_id = o.id and s.submitter_id = r.id
        and s.deleted_at is null and not s.is_test_submission
      limit 1) held
    where o.limit_one_per_user and not $10::boolean
  ),`;

const respondentColumns = `, r.id, $15, $16::jsonb, r.id::text,
      case when o.limit_one_per_user and not $10::boolean
        then 'SingleSubmission:Form:' || o.id || ':Submitter:' || r.id end`;

export const createAnonymous = statement('submissions_create_anonymous', create(false));
export const createIdentified = statement('submissions_create_identified', create(true));

/** Two concurrent first submissions of one respondent on a gated form conflict here. */
export const gateConstraint = 'submissions_restriction_key';
