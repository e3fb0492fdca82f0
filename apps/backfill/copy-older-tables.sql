-- Copies the rows of an older version from the schema submissions_older (docs/backfill.md). Can be repeated: a row that
-- is there stays as it is. If the older tables lack a column or name it otherwise, change the select.
insert into submissions.forms (tenant_id, id, name, description, is_enabled, is_public, limit_one_per_user, definition,
  submission_token_expiry_hours, data_list_ids, created_at, modified_at, revision, deleted_at)
select tenant_id, id, name, description, is_enabled, is_public, limit_one_per_user, definition,
  submission_token_expiry_hours, data_list_ids, created_at, modified_at, revision, deleted_at
from submissions_older.forms on conflict (tenant_id, id) do nothing;
insert into submissions.form_versions (tenant_id, form_id, revision, definition, saved_at)
select tenant_id, id, revision, definition, modified_at
from submissions_older.forms where deleted_at is null on conflict do nothing;
insert into submissions.submissions (tenant_id, id, form_id, is_complete, is_test_submission, current_page, collection_status,
  previous_collection_status, status, json_data, metadata, submitted_by, restriction_key, token_hash, token_expires_at,
  started_at, completed_at, completed_revision, created_at, modified_at, revision, deleted_at)
select tenant_id, id, form_id, is_complete, is_test_submission, current_page, collection_status,
  previous_collection_status, status, json_data, metadata, submitted_by, restriction_key, token_hash, token_expires_at,
  started_at, completed_at, completed_revision, created_at, modified_at, revision, deleted_at
from submissions_older.submissions on conflict (tenant_id, id) do nothing;
