import { laneSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import type { SubmissionView } from '@canvass/contracts';
import { settingsInForce } from '../webhook-settings';
import { mostVersionBytes, mostVersions } from './versions';

export interface ViewRow {
  view: SubmissionView;
}

export interface LockedRow extends ViewRow {
  /** Whether the form accepts submissions. */
  is_enabled: boolean;
}

/**
 * A submission by its id, for staff, or by its token, for respondents. A token must be unexpired and is
 * invalid after completion.
 */
const target = {
  id: `s.tenant_id = $1::bigint and s.id = $3::bigint`,
  token: `($1::bigint is null or s.tenant_id = $1::bigint) and s.token_hash = $3::bytea
      and s.token_expires_at > now() and s.completed_at is null`,
};

const ofForm = `s.form_id = $2::bigint and s.deleted_at is null
      and f.tenant_id = s.tenant_id and f.id = s.form_id and f.deleted_at is null`;

const renewal = `now() + make_interval(hours => coalesce(f.submission_token_expiry_hours, 24))`;

/** Whether this save completes the submission. A screen-out wins over completion. */
const completes = `($4::boolean is true and not $8::boolean and s.completed_at is null)`;

/** Columns of `outbox` for the changed submission in the CTE `changed`. */
const emit = (eventType: string, settings: string, traceparent: string, data: string): string => `
  event as (
    insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data)
    select ${laneSql('c.id')}, ${eventType}, c.tenant_id, 'submission', c.id, c.form_id, c.revision, ${settings}, ${traceparent}, ${data}
    from changed c
  )
  select view from changed`;

const changedColumns = `s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view`;

/** Size of a row of `submission_versions`. Postgres knows it without reading out-of-line values. */
const versionBytes = 'octet_length(json_data) + octet_length(metadata)';

/**
 * Stores the answers that the save in `changed` replaced. `pruned` sees neither the row that `kept` inserts
 * nor rows of saves that this one waited for, so until the next save there may be as many rows too many. They
 * are never shown.
 */
const keepVersion = `
  kept as (
    insert into submission_versions (tenant_id, submission_id, revision, json_data, metadata, saved_at)
    select tenant_id, id, former_revision, former_json_data, former_metadata, former_saved_at
    from changed where (former_json_data, former_metadata) is distinct from (json_data, metadata)
    returning tenant_id, submission_id, ${versionBytes} as bytes
  ),
  pruned as (
    delete from submission_versions v using kept k
    where v.tenant_id = k.tenant_id and v.submission_id = k.submission_id and v.revision <= (
      select max(former.revision) from (
        select revision, row_number() over newest_first as place, sum(${versionBytes}) over newest_first as bytes
        from submission_versions o where o.tenant_id = k.tenant_id and o.submission_id = k.submission_id
        window newest_first as (order by revision desc)) former
      where former.place >= ${mostVersions} or former.bytes + k.bytes > ${mostVersionBytes})
  )`;

/**
 * Parameters: $1 tenant (by token: of the caller, or null), $2 form, $3 id or token hash, then null for what
 * stays: $4 is complete, $5 page, $6 jsonData, $7 metadata; $8 screen out, $9 revisions of which it must have
 * one, or null, $10 traceparent.
 *
 * The respondent's saves, by token, start a submission; staff's saves do not.
 *
 * Facts that must be true once are conditions of the update, which Postgres judges on the newest version of
 * the row: it completes once however many writers race. No row: the caller looks why, under a lock.
 */
const save = (by: keyof typeof target): string => `
  with changed as (
    update submissions s set
      current_page = coalesce($5::integer, s.current_page),
      json_data = coalesce($6, s.json_data),
      metadata = coalesce($7, s.metadata),
      is_complete = s.is_complete or ${completes},
      completed_at = case when ${completes} then now() else s.completed_at end,
      completed_revision = case when ${completes} then s.revision + 1 else s.completed_revision end,
      previous_collection_status = s.collection_status,
      collection_status = case when $8::boolean then 'screen_out'
                               when s.is_complete or ${completes} then 'complete'
                               else ${by === 'token' ? `'in_progress'` : 's.collection_status'} end,
      started_at = ${by === 'token' ? 'coalesce(s.started_at, now())' : 's.started_at'},
      token_hash = case when ${completes} then null else s.token_hash end,
      token_expires_at = ${by === 'token' ? renewal : 's.token_expires_at'},
      modified_at = now(),
      revision = s.revision + 1
    from forms f left join tenant_settings t on t.tenant_id = f.tenant_id
    where ${target[by]} and ${ofForm} ${by === 'token' ? 'and f.is_enabled' : ''}
      and s.collection_status <> 'screen_out'
      and not (s.is_complete and $4::boolean is false)
      and ($9::text[] is null or s.revision::text = any($9))
      and ($8::boolean or ${completes}
        or (s.current_page, s.json_data, s.metadata) is distinct from
           (coalesce($5::integer, s.current_page), coalesce($6, s.json_data), coalesce($7, s.metadata)))
    returning ${changedColumns}, submission_status_event_json(s) as status_view, ${settingsInForce} as settings,
      case when s.completed_revision = s.revision then 'submission.completed'
           when s.collection_status = 'screen_out' then 'submission.collection_status_changed'
           else 'submission.updated' end as event_type,
      s.json_data, s.metadata, old.revision as former_revision, old.json_data as former_json_data,
      old.metadata as former_metadata, old.modified_at as former_saved_at
  ),
  ${keepVersion},
  ${emit(
    'c.event_type',
    `case when c.event_type <> 'submission.updated' then c.settings end`,
    '$10',
    `case when c.event_type = 'submission.collection_status_changed' then c.status_view else c.view end`,
  )}`;

export const saveById = statement('submissions_save_by_id', save('id'));
export const saveByToken = statement('submissions_save_by_token', save('token'));

/** $1 tenant, $2 form, $3 id */
export const lockById = statement(
  'submissions_lock_by_id',
  `select submission_json(s) as view, f.is_enabled from submissions s, forms f
   where ${target.id} and ${ofForm} for no key update of s`,
);

/**
 * $1 tenant of the caller or null, $2 form, $3 token hash. A use of the token: locks the row and renews the
 * token.
 */
export const useToken = statement(
  'submissions_use_token',
  `update submissions s set token_expires_at = ${renewal} from forms f where ${target.token} and ${ofForm}
   returning submission_json(s) as view, f.is_enabled`,
);

/** $1 tenant, $2 form, $3 id, $4 review status, $5 accepted revisions or null, $6 traceparent. */
export const setStatus = statement(
  'submissions_set_status',
  `with changed as (
    update submissions s set status = $4, modified_at = now(), revision = s.revision + 1
    from forms f where ${target.id} and ${ofForm} and s.status <> $4 and ($5::text[] is null or s.revision::text = any($5))
    returning ${changedColumns}
  ),
  ${emit(`'submission.updated'`, 'null', '$6', 'c.view')}`,
);

/** $1 tenant, $2 form, $3 id, $4 accepted revisions or null, $5 traceparent. Soft delete; frees the gate. */
export const deleteSubmission = statement(
  'submissions_delete',
  `with changed as (
    update submissions s set deleted_at = now(), modified_at = now(), token_hash = null, revision = s.revision + 1
    from forms f where ${target.id} and ${ofForm} and ($4::text[] is null or s.revision::text = any($4))
    returning ${changedColumns}
  ),
  ${emit(`'submission.deleted'`, 'null', '$5', 'c.view')}`,
);
