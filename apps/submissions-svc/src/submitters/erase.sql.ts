import { laneSql } from '@canvass/outbox';
import { statement } from '@canvass/postgres';
import { submitterVersion } from './submitters.sql';

/**
 * $1 tenant, $2 id. Returns the version. Concurrent creates of this respondent wait, and then find no such
 * respondent.
 */
export const lockSubmitter = statement(
  'submitters_lock',
  `select ${submitterVersion} from submitters s where s.tenant_id = $1 and s.id = $2 for update`,
);

/**
 * All columns that identify the respondent, including the restriction key: an anonymous submission holds no
 * gate.
 */
const anonymous = `submitter_id = null, submitter_display_id = null, submitter_profile_snapshot = null,
      submitted_by = null, restriction_key = null`;

/** One event per submission in `changed`, so that its revisions have no gap. $3 traceparent. */
const emit = (eventType: string): string => `
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, traceparent, data)
  select ${laneSql('c.id')}, '${eventType}', c.tenant_id, 'submission', c.id, c.form_id, c.revision, $3, c.view from changed c`;

const returning = `returning s.id, s.tenant_id, s.form_id, s.revision, submission_json(s) as view`;

/** $1 tenant, $2 submitter, $3 traceparent. Makes the submissions anonymous and keeps their answers. */
export const anonymiseSubmissions = statement(
  'submitters_anonymise_submissions',
  `with changed as (
    update submissions s set ${anonymous}, modified_at = now(), revision = s.revision + 1
    where s.tenant_id = $1 and s.submitter_id = $2 and s.deleted_at is null ${returning}
  ) ${emit('submission.updated')}`,
);

/**
 * $1 tenant, $2 submitter, $3 traceparent. Deletes the answers and keeps empty rows, for the last event of
 * each.
 */
export const emptySubmissions = statement(
  'submitters_empty_submissions',
  `with changed as (
    update submissions s set ${anonymous}, json_data = '{}', metadata = '{}', token_hash = null,
      deleted_at = now(), modified_at = now(), revision = s.revision + 1
    where s.tenant_id = $1 and s.submitter_id = $2 and s.deleted_at is null ${returning}
  ) ${emit('submission.deleted')}`,
);

/**
 * $1 tenant, $2 submitter, $3 whether to delete the answers. For submissions that were deleted before: they
 * have had their last event.
 */
export const eraseDeletedSubmissions = statement(
  'submitters_erase_deleted_submissions',
  `update submissions s set ${anonymous},
     json_data = case when $3::boolean then '{}' else json_data end,
     metadata = case when $3::boolean then '{}' else metadata end
   where s.tenant_id = $1 and s.submitter_id = $2 and s.deleted_at is not null`,
);

/** $1 tenant, $2 submitter. Blocks saves, so that none adds a former answer after `deleteVersions`. */
export const lockSubmissions = statement(
  'submitters_lock_submissions',
  `select from submissions where tenant_id = $1 and submitter_id = $2 order by id for no key update`,
);

/** $1 tenant, $2 submitter. Runs before their submissions, which are locked, become anonymous. */
export const deleteVersions = statement(
  'submitters_delete_versions',
  `delete from submission_versions v using submissions s
   where s.tenant_id = $1 and s.submitter_id = $2 and v.tenant_id = s.tenant_id and v.submission_id = s.id`,
);

/** $1 tenant, $2 id */
export const deleteSubmitter = statement(
  'submitters_delete',
  `delete from submitters where tenant_id = $1 and id = $2`,
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
