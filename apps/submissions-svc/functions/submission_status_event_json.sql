-- The data of submission.status_changed: submission_json and one member more.
create function submission_status_event_json(s submissions) returns json language sql stable
  return json_build_object(
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
    'revision', s.revision::text,
    'previousCollectionStatus', s.previous_collection_status
  );
