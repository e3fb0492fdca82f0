import { exportKind } from '@canvass/jobs';
import { insertEventsSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import { settingsInForce } from '../webhook-settings';

interface Submissions {
  tenantId: string;
  ids: readonly string[];
}

/** A deleted submission, too. Blocks saves, so that none adds a former answer after `deleteVersions`. */
export const lockSubmission = statement<
  { tenantId: string; formId: string; id: string },
  { revision: string }
>(
  'erasure_lock_submission',
  `select revision from submissions where tenant_id = $tenantId and form_id = $formId and id = $id for no key update`,
);

/** The submissions must be locked. */
export const deleteVersions = statement<Submissions>(
  'erasure_delete_versions',
  `delete from submission_versions where tenant_id = $tenantId and submission_id = any ($ids::bigint[])`,
);

export const deleteLinks = statement<Submissions>(
  'erasure_delete_links',
  `delete from submission_links where tenant_id = $tenantId and submission_id = any ($ids::bigint[])`,
);

export const deleteComments = statement<Submissions>(
  'erasure_delete_comments',
  `delete from submission_comments where tenant_id = $tenantId and submission_id = any ($ids::bigint[])`,
);

/**
 * Ends exports and invitations whose files contain the submissions. Their files are deleted within half a
 * minute.
 */
export const endExports = statement<Submissions>(
  'erasure_end_exports',
  `update jobs j set state = 'failed', finished_at = coalesce(finished_at, now()),
     error = 'The file was deleted, because a submission in it was erased.'
   where tenant_id = $tenantId and (state = 'running' or (state = 'done' and (result->>'expiresAt')::timestamptz > now()))
     and ((kind = '${exportKind}' and exists (
         select from submissions s where s.tenant_id = $tenantId and s.id = any ($ids::bigint[])
           and s.form_id = (j.request->>'formId')::bigint and s.id < j.id))
       or (kind = 'submission_invitation' and exists (
         select from submission_links l where l.tenant_id = $tenantId and l.submission_id = any ($ids::bigint[]) and l.job_id = j.id)))`,
);

const ids = `'id', c.id::text, 'formId', c.form_id::text, 'revision', c.revision::text`;

const emit = (event: { type: string; from: string; settings: string; data: string }): string =>
  insertEventsSql({
    ...event,
    tenantId: 'c.tenant_id',
    entity: 'submission',
    entityId: 'c.id',
    formId: 'c.form_id',
    revision: 'c.revision',
    traceparent: '$traceparent',
  });

/**
 * Erases all columns that identify the respondent, including the restriction key: an anonymous submission
 * holds no gate. With `$deletes` also the answers; empty rows stay for their events. Emits the event of the
 * change, unless the submission was deleted earlier and has had its last one.
 */
export const eraseRows = statement<Submissions & { deletes: boolean; traceparent: string | null }>(
  'erasure_erase_rows',
  `with changed as (
    update submissions s set
      submitter_id = null, submitter_display_id = null, submitter_profile_snapshot = null, submitted_by = null,
      restriction_key = null,
      json_data = case when $deletes::boolean then '{}' else s.json_data end,
      answer_faults = case when $deletes::boolean then null else s.answer_faults end,
      metadata = case when $deletes::boolean then '{}' else s.metadata end,
      token_hash = case when $deletes::boolean or s.token_holder is not null then null else s.token_hash end,
      token_holder = null,
      deleted_at = case when $deletes::boolean then coalesce(s.deleted_at, now()) else s.deleted_at end,
      modified_at = case when s.deleted_at is null then now() else s.modified_at end,
      revision = s.revision + (s.deleted_at is null)::integer
    where s.tenant_id = $tenantId and s.id = any ($ids::bigint[])
    returning s.id, s.tenant_id, s.form_id, s.revision,
      old.deleted_at is not null as was_deleted
  )
  ${emit({
    from: `changed c join forms f on f.tenant_id = c.tenant_id and f.id = c.form_id
        left join tenant_settings t on t.tenant_id = c.tenant_id where not c.was_deleted`,
    type: `case when $deletes::boolean then 'submission.deleted' else 'submission.updated' end`,
    settings: `case when $deletes::boolean then ${settingsInForce} end`,
    data: `json_build_object(${ids})`,
  })}`,
);

/** Emits `submission.erased`, with the revision of the change. */
export const emitErased = statement<Submissions & { deletes: boolean; traceparent: string | null }>(
  'erasure_emit_erased',
  `${emit({
    from: 'submissions c where c.tenant_id = $tenantId and c.id = any ($ids::bigint[])',
    type: `'submission.erased'`,
    settings: 'null',
    data: `json_build_object(${ids}, 'answers', case when $deletes::boolean then 'deleted' else 'kept' end)`,
  })}`,
);
