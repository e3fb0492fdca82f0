import { insertAuditSql } from '@canvass/audit';
import { insertEventsSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import type { ReviewStatus, SubmissionView } from '@canvass/contracts';
import type { IfMatch } from '@canvass/service-kit';
import { checkedForm, type CheckedForm } from '../answer-check';
import { sends, settingsInForce } from '../webhook-settings';
import type { TokenHolder } from './submission-token';
import { mayContinue } from './form-window.sql';
import { maxVersionBytes, maxVersions } from './read.sql';

export interface ViewRow {
  view: SubmissionView;
}

export interface LockedRow extends ViewRow {
  /** Returns whether the form accepts submissions. */
  is_enabled: boolean;
  /** When the form closed to unfinished submissions; null: it did not. */
  closed_at: string | null;
  /** The own account to which a token was given. */
  holder: TokenHolder | null;
}

/**
 * A submission by its id, for staff, or by its token, for respondents. A token must be unexpired and is
 * invalid after completion. It is looked up in the tenant of the form. That tenant is a scalar subquery, not
 * a join, so that Postgres knows it before it opens a partition.
 */
const target = {
  id: `s.tenant_id = $tenantId::bigint and s.id = $id::bigint`,
  ids: `s.tenant_id = $tenantId::bigint and s.id = any ($ids::bigint[])`,
  token: `s.tenant_id = (select named.tenant_id from forms named where named.id = $formId::bigint
        and ($tenantId::bigint is null or named.tenant_id = $tenantId::bigint))
      and s.token_hash = $tokenHash::bytea and s.token_expires_at > now() and s.completed_at is null`,
};

const ofForm = `s.form_id = $formId::bigint and s.deleted_at is null
      and f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null`;

const validity = `make_interval(hours => coalesce(f.submission_token_expiry_hours, 24))`;

/**
 * Each use renews the token, but not for ever: it ends 90 days after it was issued, or after its validity if
 * that is longer. A token is part of a URL, so it may be in the log of a proxy.
 */
const renewal = `least(now() + ${validity}, coalesce(s.token_issued_at, s.created_at) + greatest(${validity}, interval '90 days'))`;

const firstUse = 'coalesce(s.token_used_at, now())';

/** Returns whether this save completes the submission. A screen-out wins over completion. */
const completes = `($isComplete::boolean is true and not $screenOut::boolean and s.completed_at is null)`;

/** Records the change of staff in the CTE `changed`. Saves of respondents are not recorded. */
const audited = `
  audited as (${insertAuditSql({ from: 'changed c', tenantId: 'c.tenant_id', objectId: 'c.id::text' })}),`;

/** Appends the event of each submission in the CTE `changed`, and ends the statement with `result`. */
const emit = (
  event: { type: string; settings: string; data: string },
  result = 'select view from changed',
): string => `
  event as (${insertEventsSql({
    from: 'changed c',
    type: event.type,
    tenantId: 'c.tenant_id',
    entity: 'submission',
    entityId: 'c.id',
    formId: 'c.form_id',
    revision: 'c.revision',
    settings: event.settings,
    traceparent: '$traceparent',
    data: event.data,
  })})
  ${result}`;

/** Data of an event without a webhook: a consumer that needs more reads the submission. */
const ids = `json_build_object('id', c.id::text, 'formId', c.form_id::text, 'revision', c.revision::text)`;

/** Whether the event of a change has ids only. Then it has no webhook. */
const hasIds = `c.event_type in ('submission.created', 'submission.updated')`;

/** Settings and data of the event of a create or a save. */
export const saved = {
  settings: (inForce: string) => `case when not ${hasIds} then ${inForce} end`,
  data: `case when ${hasIds} then ${ids}
           when c.event_type = 'submission.collection_status_changed'
             then with_member(c.view, 'previousCollectionStatus', c.previous_collection_status) else c.view end`,
};

const changedColumns = `s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view`;

/** Size of a row of `submission_versions`. Postgres knows it without reading out-of-line values. */
const versionBytes = 'octet_length(json_data) + octet_length(metadata)';

const ofKept = `tenant_id = (select tenant_id from kept) and submission_id = (select submission_id from kept)`;

/**
 * Stores the answers that the save in `changed` replaced. `pruned` sees neither the row that `kept` inserts
 * nor rows of saves that this one waited for, so until the next save there may be as many rows too many. They
 * are never shown. Its values are scalar subqueries, so that it opens the partition of the tenant only.
 */
const keepVersion = `
  kept as (
    insert into submission_versions (tenant_id, submission_id, revision, json_data, metadata, saved_at, saved_by)
    select tenant_id, id, former_revision, former_json_data, former_metadata, former_saved_at, former_saved_by
    from changed where (former_json_data, former_metadata) is distinct from (json_data, metadata)
    returning tenant_id, submission_id, ${versionBytes} as bytes
  ),
  pruned as (
    delete from submission_versions where ${ofKept} and revision <= (
      select max(former.revision) from (
        select revision, row_number() over newest_first as place, sum(${versionBytes}) over newest_first as bytes
        from submission_versions where ${ofKept}
        window newest_first as (order by revision desc)) former
      where former.place >= ${maxVersions} or former.bytes + (select bytes from kept) > ${maxVersionBytes})
  )`;

/** Values of a save; null for what does not change. */
interface SaveValues {
  /** The tenant of the caller; null for an anonymous holder of a token. */
  tenantId: string | null;
  formId: string;
  isComplete: boolean | null;
  currentPage: number | null;
  jsonData: string | null;
  metadata: string | null;
  /** JSON text of the faults of the answers; null: they were not checked. */
  answerFaults: string | null;
  screenOut: boolean;
  /** The revisions of which it must have one, or null. */
  ifMatch: IfMatch;
  traceparent: string;
}

/** Further conditions of a save. A link that only continues ends with completion and with the form. */
const conditionsOf = {
  id: '',
  token: ` and f.is_enabled and ${mayContinue('f')} and (s.token_holder is null or $isHeld::boolean)`,
  link: ` and f.is_enabled and ($mayEdit::boolean or (s.completed_at is null and ${mayContinue('f')}))`,
};

/**
 * `isHeld`: the account of the token has its rights. Without it, a token of an account saves nothing.
 *
 * A save by token or link, which is one of the respondent, starts the submission; one by staff does not.
 *
 * Facts that must be true only once are conditions of the update, which Postgres checks on the newest version
 * of the row: the submission completes once, however many writers race. If there is no row, the caller finds
 * out the reason under a lock.
 */
const save = (by: 'id' | 'token' | 'link'): string => {
  const isHolder = by !== 'id';
  return `
  with changed as (
    update submissions s set
      current_page = coalesce($currentPage::integer, s.current_page),
      json_data = coalesce($jsonData, s.json_data),
      metadata = coalesce($metadata, s.metadata),
      answer_faults = case when $jsonData::text is not null or ${completes} then $answerFaults::json else s.answer_faults end,
      is_complete = s.is_complete or ${completes},
      completed_at = case when ${completes} then now() else s.completed_at end,
      completed_revision = case when ${completes} then s.revision + 1 else s.completed_revision end,
      previous_collection_status = s.collection_status,
      collection_status = case when $screenOut::boolean then 'screen_out'
                               when s.is_complete or ${completes} then 'complete'
                               else ${isHolder ? `'in_progress'` : 's.collection_status'} end,
      started_at = ${isHolder ? 'coalesce(s.started_at, now())' : 's.started_at'},
      token_hash = case when ${completes} then null else s.token_hash end,
      token_expires_at = ${by === 'token' ? renewal : 's.token_expires_at'},
      saved_by = ${isHolder ? 'null' : '$savedBy::json'},
      token_used_at = ${by === 'token' ? firstUse : 's.token_used_at'},
      modified_at = now(),
      revision = s.revision + 1
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where ${target[by === 'token' ? 'token' : 'id']} and ${ofForm}${conditionsOf[by]}
      and s.collection_status <> 'screen_out'
      and not (s.is_complete and $isComplete::boolean is false)
      and ($ifMatch::text[] is null or s.revision::text = any($ifMatch))
      and ($screenOut::boolean or ${completes}
        or (s.current_page, s.json_data, s.metadata) is distinct from
           (coalesce($currentPage::integer, s.current_page), coalesce($jsonData, s.json_data), coalesce($metadata, s.metadata)))
    returning ${changedColumns}, s.previous_collection_status, ${settingsInForce} as settings,
      case when s.completed_revision = s.revision then 'submission.completed'
           when s.collection_status = 'screen_out' then 'submission.collection_status_changed'
           when ${sends.saves} then 'submission.saved'
           else 'submission.updated' end as event_type,
      s.json_data, s.metadata, old.revision as former_revision, old.json_data as former_json_data,
      old.metadata as former_metadata, old.modified_at as former_saved_at, old.saved_by as former_saved_by
  ),
  ${keepVersion},${isHolder ? '' : audited}
  ${emit({ type: 'c.event_type', settings: saved.settings('c.settings'), data: saved.data })}`;
};

export const saveById = statement<SaveValues & { id: string; savedBy: string; audit: string }, ViewRow>(
  'submissions_save_by_id',
  save('id'),
);
export const saveByToken = statement<
  SaveValues & { tokenHash: Buffer; isHeld: boolean; graceMinutes: number },
  ViewRow
>('submissions_save_by_token', save('token'));

/** `tenantId` and `id` are those of the link. */
export const saveByLink = statement<
  SaveValues & { id: string; mayEdit: boolean; graceMinutes: number },
  ViewRow
>('submissions_save_by_link', save('link'));

type CheckedSave = CheckedForm & { isComplete: boolean; savedRevision: string; jsonData: string | null };

/** The form and the revision of a submission whose save is checked. No row if the form is not checked. */
const checkedSave = (by: 'id' | 'token') =>
  `select ${checkedForm}, s.is_complete as "isComplete", s.revision as "savedRevision",
     case when $reads::boolean and not s.is_complete then s.json_data end as "jsonData"
   from submissions s, forms f
   where ${target[by]} and ${ofForm} and f.answer_check <> 'off' and s.collection_status <> 'screen_out'`;

export const checkedSaveById = statement<
  { tenantId: string | null; formId: string; id: string; reads: boolean },
  CheckedSave
>('submissions_checked_save_by_id', checkedSave('id'));

export const checkedSaveByToken = statement<
  { tenantId: string | null; formId: string; tokenHash: Buffer; reads: boolean },
  CheckedSave
>('submissions_checked_save_by_token', checkedSave('token'));

export const lockById = statement<{ tenantId: string | null; formId: string; id: string }, LockedRow>(
  'submissions_lock_by_id',
  `select submission_json(s) as view, f.is_enabled, null::text as closed_at, null::json as holder from submissions s, forms f
   where ${target.id} and ${ofForm} for no key update of s`,
);

export const lockByLink = statement<
  { tenantId: string | null; formId: string; id: string; mayEdit: boolean; graceMinutes: number },
  LockedRow
>(
  'submissions_lock_by_link',
  `select submission_json(s) as view, f.is_enabled, null::json as holder,
     case when not ($mayEdit::boolean or ${mayContinue('f')}) then api_time(f.closes_at) end as closed_at
   from submissions s, forms f where ${target.id} and ${ofForm} for no key update of s`,
);

/** A use of the token: locks the row and renews the token. */
const useOf = (returned: string): string =>
  `update submissions s set token_expires_at = ${renewal}, token_used_at = ${firstUse} from forms f where ${target.token} and ${ofForm}
   returning submission_json(s) as view, s.token_holder as holder${returned}`;

interface TokenOfForm {
  tenantId: string | null;
  formId: string;
  tokenHash: Buffer;
}

export const useToken = statement<TokenOfForm, Pick<LockedRow, 'view' | 'holder'>>(
  'submissions_use_token',
  useOf(''),
);

export const lockByToken = statement<TokenOfForm & { graceMinutes: number }, LockedRow>(
  'submissions_lock_by_token',
  useOf(`, f.is_enabled, case when not ${mayContinue('f')} then api_time(f.closes_at) end as closed_at`),
);

/** The result of the statements on several submissions. */
const countOfChanged = 'select count(*)::integer as changed from changed';

const ofRevision = `($ifMatch::text[] is null or s.revision::text = any($ifMatch))`;

/** Sets the review status of submissions that have another one. */
const review = (which: string, result?: string): string => `
  with changed as (
    update submissions s set status = $status, modified_at = now(), revision = s.revision + 1
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where ${which} and ${ofForm} and s.status <> $status
    returning ${changedColumns}, old.status as previous_status, ${settingsInForce} as settings,
      case when ${sends.reviews} then 'submission.status_changed' else 'submission.updated' end as event_type
  ),${audited}
  ${emit(
    {
      type: 'c.event_type',
      settings: saved.settings('c.settings'),
      data: `case when ${hasIds} then ${ids} else with_member(c.view, 'previousStatus', c.previous_status) end`,
    },
    result,
  )}`;

/** Soft delete; frees the gate, and ends links for ever. */
const remove = (which: string, result?: string): string => `
  with changed as (
    update submissions s set deleted_at = now(), modified_at = now(), token_hash = null, revision = s.revision + 1
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where ${which} and ${ofForm}
    returning ${changedColumns}, ${settingsInForce} as settings
  ),
  ended as (
    update submission_links l set revoked_at = now() from changed c
    where l.tenant_id = $tenantId::bigint and l.submission_id = c.id and l.revoked_at is null
  ),${audited}
  ${emit(
    {
      type: `'submission.deleted'`,
      settings: 'c.settings',
      data: ids,
    },
    result,
  )}`;

/**
 * Condition on a deleted submission `s`: something is left to restore. An erasure leaves neither answers nor
 * a respondent.
 */
export const hasData = `(s.submitter_id is not null or s.json_data <> '{}' or s.metadata <> '{}')`;

/** Returns whether the submission `o` of the same respondent holds the gate that `s` needs. */
const holdsGate = `o.tenant_id = s.tenant_id and o.form_id = s.form_id and o.submitter_id = s.submitter_id
      and not o.is_test_submission
      and (o.restriction_key = s.restriction_key or (f.limit_one_per_user and not s.is_test_submission))`;

/**
 * Takes a soft delete back, unless the gate of the respondent is taken. Of several deleted submissions of a
 * respondent in `$ids` the newest gets the gate. Its token stays invalid.
 */
const restore = (which: string, result?: string): string => `
  with changed as (
    update submissions s set deleted_at = null, modified_at = now(), revision = s.revision + 1
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where ${which} and s.form_id = $formId::bigint and s.deleted_at is not null and ${hasData}
      and f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
      and not exists (select from submissions o where ${holdsGate} and o.deleted_at is null)
      and not exists (select from submissions o where ${holdsGate}
        and o.id = any ($ids::bigint[]) and o.id > s.id and o.deleted_at is not null)
    returning ${changedColumns}, s.previous_collection_status, ${settingsInForce} as settings,
      case when ${sends.saves} then 'submission.saved' else 'submission.updated' end as event_type
  ),${audited}
  ${emit({ type: 'c.event_type', settings: saved.settings('c.settings'), data: saved.data }, result)}`;

/** A change of one submission. */
interface ChangeOfOne {
  tenantId: string;
  formId: string;
  id: string;
  ifMatch: IfMatch;
  traceparent: string;
  audit: string;
}

/** The same change of several submissions of a form. */
export interface ChangeOfMany {
  tenantId: string;
  formId: string;
  ids: readonly string[];
  traceparent: string;
  audit: string;
}

export const setStatus = statement<ChangeOfOne & { status: ReviewStatus }, ViewRow>(
  'submissions_set_status',
  review(`${target.id} and ${ofRevision}`),
);
export const setStatusOfMany = statement<ChangeOfMany & { status: ReviewStatus }, { changed: number }>(
  'submissions_set_status_of_many',
  review(target.ids, countOfChanged),
);

export const deleteSubmission = statement<ChangeOfOne, ViewRow>(
  'submissions_delete',
  remove(`${target.id} and ${ofRevision}`),
);
export const deleteMany = statement<ChangeOfMany, { changed: number }>(
  'submissions_delete_many',
  remove(target.ids, countOfChanged),
);

/** `ids` has one id. */
export const restoreSubmission = statement<ChangeOfMany & { ifMatch: IfMatch }, ViewRow>(
  'submissions_restore',
  restore(`${target.ids} and ${ofRevision}`),
);
export const restoreMany = statement<ChangeOfMany, { changed: number }>(
  'submissions_restore_many',
  restore(target.ids, countOfChanged),
);

/** A deleted submission of a form that is not deleted. */
export const findDeleted = statement<
  { tenantId: string; formId: string; id: string },
  { revision: string; hasData: boolean }
>(
  'submissions_find_deleted',
  `select s.revision, ${hasData} as "hasData" from submissions s
   join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null
   where s.tenant_id = $tenantId and s.form_id = $formId and s.id = $id and s.deleted_at is not null`,
);
