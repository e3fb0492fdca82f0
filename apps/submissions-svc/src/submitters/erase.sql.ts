import { insertEventsSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import { submitterVersion } from './submitters.sql';

/** Concurrent creates of this respondent wait, and then find no such respondent. */
export const lockSubmitter = statement<{ tenantId: string; submitterId: string }, { version: string }>(
  'submitters_lock',
  `select ${submitterVersion} from submitters s where s.tenant_id = $tenantId and s.id = $submitterId for update`,
);

/**
 * All columns that identify the respondent, including the restriction key: an anonymous submission holds no
 * gate.
 */
const anonymous = `submitter_id = null, submitter_display_id = null, submitter_profile_snapshot = null,
      submitted_by = null, restriction_key = null`;

/** One event per submission in `changed`, so that its revisions have no gap. */
const emit = (eventType: string): string =>
  insertEventsSql({
    from: 'changed c',
    type: `'${eventType}'`,
    tenantId: 'c.tenant_id',
    entity: 'submission',
    entityId: 'c.id',
    formId: 'c.form_id',
    revision: 'c.revision',
    settings: 'null',
    traceparent: '$traceparent',
    data: 'c.view',
  });

const returning = `returning s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view`;

/** Makes the submissions anonymous and keeps their answers. */
export const anonymiseSubmissions = statement<{ tenantId: string; submitterId: string; traceparent: string }>(
  'submitters_anonymise_submissions',
  `with changed as (
    update submissions s set ${anonymous}, modified_at = now(), revision = s.revision + 1
    where s.tenant_id = $tenantId and s.submitter_id = $submitterId and s.deleted_at is null ${returning}
  ) ${emit('submission.updated')}`,
);

/** Deletes the answers and keeps empty rows, for the last event of each. */
export const emptySubmissions = statement<{ tenantId: string; submitterId: string; traceparent: string }>(
  'submitters_empty_submissions',
  `with changed as (
    update submissions s set ${anonymous}, json_data = '{}', metadata = '{}', token_hash = null,
      deleted_at = now(), modified_at = now(), revision = s.revision + 1
    where s.tenant_id = $tenantId and s.submitter_id = $submitterId and s.deleted_at is null ${returning}
  ) ${emit('submission.deleted')}`,
);

/** For submissions that were deleted before: they have had their last event. */
export const eraseDeletedSubmissions = statement<{
  tenantId: string;
  submitterId: string;
  deletesAnswers: boolean;
}>(
  'submitters_erase_deleted_submissions',
  `update submissions s set ${anonymous},
     json_data = case when $deletesAnswers::boolean then '{}' else json_data end,
     metadata = case when $deletesAnswers::boolean then '{}' else metadata end
   where s.tenant_id = $tenantId and s.submitter_id = $submitterId and s.deleted_at is not null`,
);

/** Blocks saves, so that none adds a former answer after `deleteVersions`. */
export const lockSubmissions = statement<{ tenantId: string; submitterId: string }>(
  'submitters_lock_submissions',
  `select from submissions where tenant_id = $tenantId and submitter_id = $submitterId order by id for no key update`,
);

/** Runs before their submissions, which are locked, become anonymous. */
export const deleteVersions = statement<{ tenantId: string; submitterId: string }>(
  'submitters_delete_versions',
  `delete from submission_versions v using submissions s
   where s.tenant_id = $tenantId and s.submitter_id = $submitterId and v.tenant_id = s.tenant_id and v.submission_id = s.id`,
);

export const deleteSubmitter = statement<{ tenantId: string; submitterId: string }>(
  'submitters_delete',
  `delete from submitters where tenant_id = $tenantId and id = $submitterId`,
);

/**
 * $1 tenant, $2 submitter. Returns each submission as JSON text, with the name of its form and its deletion
 * time; deleted ones, too.
 */
export const submissionsOfSubmitter = `
  select (to_jsonb(f.name))::text, to_json(api_time(s.deleted_at))::text, submission_json(s)::text
  from submissions s join forms f on f.tenant_id = s.tenant_id and f.id = s.form_id
  where s.tenant_id = $1 and s.submitter_id = $2 order by s.id`;

/** $1 tenant, $2 submitter. Returns each former version of the answers as JSON text. */
export const versionsOfSubmitter = `
  select json_build_object('submissionId', s.id::text, 'revision', v.revision::text, 'jsonData', v.json_data,
    'metadata', v.metadata, 'savedAt', api_time(v.saved_at), 'replacedAt', api_time(v.replaced_at))::text
  from submissions s join submission_versions v on v.tenant_id = s.tenant_id and v.submission_id = s.id
  where s.tenant_id = $1 and s.submitter_id = $2 order by s.id, v.revision`;
