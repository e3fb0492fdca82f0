import type { Migration } from '@canvass/postgres';

/**
 * Builds the API representation of a row in the database. A write returns it and puts the same value into the
 * outbox in one statement, so response and event cannot differ. Ids are decimal strings, dates ISO 8601 UTC
 * with milliseconds.
 */
const formMembers = `
  'id', f.id::text,
  'name', f.name,
  'description', f.description,
  'isEnabled', f.is_enabled,
  'isPublic', f.is_public,
  'limitOnePerUser', f.limit_one_per_user,
  'definition', f.definition,
  'submissionTokenExpiryHours', f.submission_token_expiry_hours,
  'dataListIds', to_json(f.data_list_ids::text[]),
  'createdAt', api_time(f.created_at),
  'modifiedAt', api_time(f.modified_at),
  'revision', f.revision::text`;

const submissionMembers = `
  'id', s.id::text,
  'formId', s.form_id::text,
  'isComplete', s.is_complete,
  'isTestSubmission', s.is_test_submission,
  'currentPage', s.current_page,
  'jsonData', s.json_data,
  'metadata', s.metadata,
  'collectionStatus', s.collection_status,
  'status', s.status,
  'submitterId', s.submitter_id::text,
  'submitterDisplayId', s.submitter_display_id,
  'submitterProfileSnapshot', s.submitter_profile_snapshot,
  'submittedBy', s.submitted_by,
  'startedAt', api_time(s.started_at),
  'completedAt', api_time(s.completed_at),
  'createdAt', api_time(s.created_at),
  'modifiedAt', api_time(s.modified_at),
  'revision', s.revision::text`;

export const apiShapes: Migration = {
  name: '20261120T1205_api_shapes',
  async up(knex) {
    await knex.raw(`
      create function api_time(t timestamptz) returns text language sql stable
        return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

      create function form_json(f forms) returns json language sql stable
        return json_build_object(${formMembers});

      create function submission_json(s submissions) returns json language sql stable
        return json_build_object(${submissionMembers});

      create function submission_status_event_json(s submissions) returns json language sql stable
        return json_build_object(${submissionMembers}, 'previousCollectionStatus', s.previous_collection_status);`);
  },
  async down(knex) {
    await knex.raw(`
      drop function submission_status_event_json(submissions);
      drop function submission_json(submissions);
      drop function form_json(forms);
      drop function api_time(timestamptz)`);
  },
};
