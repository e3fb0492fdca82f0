-- The form as the API returns it. A write returns this value and puts it into the outbox in one statement, so response and
-- event cannot differ. Ids are decimal strings.
create function form_json(f forms) returns json language sql stable
  return json_build_object(
    'id', f.id::text,
    'name', f.name,
    'description', f.description,
    'isEnabled', f.is_enabled,
    'isPublic', f.is_public,
    'limitOnePerUser', f.limit_one_per_user,
    'definition', f.definition,
    'submissionTokenExpiryHours', f.submission_token_expiry_hours,
    'retentionDays', f.retention_days,
    'opensAt', api_time(f.opens_at),
    'closesAt', api_time(f.closes_at),
    'maxSubmissions', f.max_submissions,
    'slug', f.slug,
    'page', f.page,
    'answerCheck', f.answer_check,
    'dataListIds', to_json(f.data_list_ids::text[]),
    'createdAt', api_time(f.created_at),
    'modifiedAt', api_time(f.modified_at),
    'revision', f.revision::text
  );
