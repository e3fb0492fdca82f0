-- The schema of submissions-svc: forms, submissions, submitters and their settings. It is frozen with release 0.1.0:
-- later changes are files in migrations/, and nothing here changes. functions/ is loaded after it.
--
-- Every key leads with the tenant, so that submitters, submissions and submission_versions can be partitioned by tenant
-- (decision 0034).

-- Both tenant_settings and forms have webhook settings, as JSON text with sealed secrets.
create table tenant_settings (
  tenant_id bigint primary key,
  web_hook_settings_json text,
  webhook_settings_version bigint,
  sends_saves boolean generated always as (jsonb_path_match(web_hook_settings_json::jsonb,
    '$.Events.SubmissionUpdated.IsEnabled == true && exists($.Events.SubmissionUpdated.WebHookEndpoints[*])')) stored,
  sends_reviews boolean generated always as (jsonb_path_match(web_hook_settings_json::jsonb,
    '$.Events.SubmissionStatusChanged.IsEnabled == true && exists($.Events.SubmissionStatusChanged.WebHookEndpoints[*])')) stored,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  check ((web_hook_settings_json is null) = (webhook_settings_version is null))
);
comment on column tenant_settings.web_hook_settings_json is 'Webhook settings as JSON text, secrets sealed; null: the tenant has none';
comment on column tenant_settings.webhook_settings_version is 'The version in force, in webhook_settings_versions';
comment on column tenant_settings.sends_saves is 'The settings have an endpoint for SubmissionUpdated; sends_reviews: for SubmissionStatusChanged';

-- Respondents know a form by its id only, so the id is unique, too, and forms is not a table to partition.
create table forms (
  tenant_id bigint not null,
  id bigint not null default next_id() unique,
  name text not null,
  description text,
  is_enabled boolean not null,
  is_public boolean not null,
  limit_one_per_user boolean not null,
  definition json not null,
  submission_token_expiry_hours integer,
  data_list_ids bigint[] not null,
  web_hook_settings_json text,
  webhook_settings_version bigint,
  sends_saves boolean generated always as (jsonb_path_match(web_hook_settings_json::jsonb,
    '$.Events.SubmissionUpdated.IsEnabled == true && exists($.Events.SubmissionUpdated.WebHookEndpoints[*])')) stored,
  sends_reviews boolean generated always as (jsonb_path_match(web_hook_settings_json::jsonb,
    '$.Events.SubmissionStatusChanged.IsEnabled == true && exists($.Events.SubmissionStatusChanged.WebHookEndpoints[*])')) stored,
  opens_at timestamptz,
  closes_at timestamptz,
  max_submissions integer,
  slug text,
  page json,
  answer_check text not null default 'off' check (answer_check in ('off', 'report', 'enforce')),
  retention_days integer,
  retention_starts_at timestamptz,
  retention_days_before integer,
  retention_set_by json,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  check ((web_hook_settings_json is null) = (webhook_settings_version is null))
);
comment on column forms.definition is 'json, not jsonb: the form runtime gets its members back in their order';
comment on column forms.web_hook_settings_json is 'Override of the tenant''s settings, secrets sealed; null: none; {}: no webhook fires';
comment on column forms.sends_saves is 'As in tenant_settings; null: the tenant''s settings hold';
comment on column forms.retention_days is 'Submissions are erased so many days after their creation; null: never';
comment on column forms.retention_starts_at is 'Until then the period before holds if it is longer; null: retention_days holds';
comment on column forms.retention_days_before is 'The period before the last one that shortened it; null: never';
comment on column forms.retention_set_by is 'Actor and request id of the change of retention_days';
create unique index forms_slug on forms (slug) where deleted_at is null;
create index forms_list on forms (tenant_id, id desc) where deleted_at is null;
create index forms_search on forms using gin (fold(name) extensions.gin_trgm_ops);

-- Counts the places of forms with max_submissions. A create locks the row, so that not one submission too many is stored.
create table form_places (
  tenant_id bigint not null,
  form_id bigint not null,
  taken integer not null,
  counted_at timestamptz not null default now(),
  primary key (tenant_id, form_id),
  foreign key (tenant_id, form_id) references forms (tenant_id, id) on delete cascade
);
comment on column form_places.taken is 'At least the number of submissions; a deletion frees its place when the form is full (count_places)';

create table form_versions (
  tenant_id bigint not null,
  form_id bigint not null,
  revision bigint not null,
  definition json not null,
  saved_at timestamptz not null default now(),
  saved_by json,
  primary key (tenant_id, form_id, revision),
  foreign key (tenant_id, form_id) references forms (tenant_id, id) on delete cascade
);
comment on table form_versions is 'Definitions of a form, the current one included; the newest 100 are kept';
comment on column form_versions.revision is 'The first revision of the form with this definition';
comment on column form_versions.saved_by is 'Provider, kind and subject; null if unknown';

-- Every version of webhook settings that was ever in force. Events name one, so rows are only added.
create table webhook_settings_versions (
  tenant_id bigint not null,
  scope text not null check (scope in ('tenant', 'form')),
  scope_id bigint not null,
  version bigint not null,
  events json not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, scope, scope_id, version)
);
comment on table webhook_settings_versions is 'Append-only; the relay fetches a version once and an event may name any of them';
comment on column webhook_settings_versions.events is 'ResolvedWebhookSettings.events with endpoint ids; secrets sealed. Empty for a removal';

-- Respondents that identified themselves or that an integration named.
create table submitters (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  auth_provider text not null check (length(auth_provider) between 1 and 64),
  external_subject_id text not null check (length(external_subject_id) between 1 and 255),
  app_user_id bigint,
  display_id text not null,
  profile jsonb not null default '{}',
  folded text generated always as (fold(display_id) || E'\n' || fold(external_subject_id) || E'\n'
    || fold(replace(replace(jsonb_path_query_array(profile, '$.*')::text, '\"', '"'), '\\', '\'))) stored,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint submitters_subject unique (tenant_id, auth_provider, external_subject_id)
);
comment on column submitters.app_user_id is 'The service-owned user, where the respondent is one';
comment on column submitters.display_id is 'Of the latest resolution; submissions keep the one of their time';
comment on column submitters.folded is
  'What a person is found by: display id, subject, and the values of the profile. A search never matches across the line breaks';
-- Submitters of other providers may have the same user.
create unique index submitters_own_user on submitters (tenant_id, app_user_id)
  where auth_provider = 'Service' and app_user_id is not null;
create index submitters_search on submitters using gin (folded extensions.gin_trgm_ops);

create table submissions (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  form_id bigint not null,
  is_complete boolean not null,
  is_test_submission boolean not null,
  current_page integer not null,
  collection_status text not null check (collection_status in ('not_started', 'in_progress', 'complete', 'screen_out')),
  previous_collection_status text,
  status text not null default 'new' check (status in ('new', 'read', 'approved', 'declined')),
  json_data text not null,
  metadata text not null,
  answer_faults json,
  submitter_id bigint,
  submitter_display_id text,
  submitter_profile_snapshot jsonb,
  submitted_by text,
  restriction_key text,
  created_by json,
  saved_by json,
  token_hash bytea,
  token_expires_at timestamptz,
  token_used_at timestamptz,
  token_issued_at timestamptz,
  token_holder json,
  started_at timestamptz default now(),
  completed_at timestamptz,
  completed_revision bigint,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  revision bigint not null default 1,
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, form_id) references forms (tenant_id, id),
  foreign key (tenant_id, submitter_id) references submitters (tenant_id, id),
  check (is_complete = (completed_at is not null)),
  check (is_complete = (completed_revision is not null)),
  check (not (is_complete and collection_status = 'screen_out'))
) with (fillfactor = 90);
comment on column submissions.json_data is 'text, not json: a client reads back the bytes it sent';
comment on column submissions.answer_faults is 'Questions and the rules that their answers break; null: not checked';
comment on column submissions.submitted_by is 'Legacy mirror of submitter_id; to be dropped in a future release';
comment on column submissions.restriction_key is 'SingleSubmission:Form:<form_id>:Submitter:<submitter_id> on a gated form';
comment on column submissions.created_by is 'Provider, kind and subject of the integration that created it on behalf of the respondent; null: the respondent did';
comment on column submissions.saved_by is 'Provider, kind and subject of the staff or integration that saved last; null for the respondent';
comment on column submissions.token_hash is 'SHA-256 of the submission token; the token itself is not kept';
comment on column submissions.token_used_at is 'First use of the token, after which no repeated response contains it';
comment on column submissions.token_issued_at is 'When the respondent resumed and got this token; null: with the create';
comment on column submissions.token_holder is 'Kind, subject and version of the own account to which the token was given; null: its rights are not known to end';
comment on column submissions.started_at is 'When the respondent first saved; null before that';
comment on column submissions.completed_revision is 'The revision that completed it; distinguishes the completing save from later ones';

-- The single-submission gate.
create unique index submissions_restriction_key on submissions (tenant_id, restriction_key)
  where restriction_key is not null and deleted_at is null;
create unique index submissions_token on submissions (tenant_id, token_hash) where token_hash is not null;
-- Lists and their filters. `modified_at` has no index: a save changes it, and would have to write all indexes of the row
-- instead of none. Times are those that the API compares, see `filterFields`.
create index submissions_list on submissions (tenant_id, form_id, id desc) where deleted_at is null;
create index submissions_created on submissions (tenant_id, form_id, (date_trunc('milliseconds', created_at at time zone 'UTC')), id)
  where deleted_at is null;
create index submissions_completed on submissions (tenant_id, form_id, (date_trunc('milliseconds', completed_at at time zone 'UTC')), id)
  where deleted_at is null and date_trunc('milliseconds', completed_at at time zone 'UTC') is not null;
create index submissions_reviewed on submissions (tenant_id, form_id, status, id) where status <> 'new' and deleted_at is null;
create index submissions_deleted_of_form on submissions (tenant_id, form_id, id) where deleted_at is not null;
create index submissions_profile on submissions using gin (submitter_profile_snapshot jsonb_path_ops);
-- Submissions of a respondent: those that count for the gate of a form, and all.
create index submissions_of_submitter on submissions (tenant_id, form_id, submitter_id)
  where submitter_id is not null and deleted_at is null and not is_test_submission;
create index submissions_by_submitter on submissions (tenant_id, submitter_id, id) where submitter_id is not null;
-- The retention looks for deleted submissions, and for those that their respondents left.
create index submissions_deleted on submissions (tenant_id, deleted_at) where deleted_at is not null;
create index submissions_partial on submissions (tenant_id, id)
  where collection_status in ('not_started', 'in_progress') and deleted_at is null;

create table submission_versions (
  tenant_id bigint not null,
  submission_id bigint not null,
  revision bigint not null,
  json_data text not null,
  metadata text not null,
  saved_by json,
  saved_at timestamptz not null,
  replaced_at timestamptz not null default now(),
  primary key (tenant_id, submission_id, revision),
  foreign key (tenant_id, submission_id) references submissions (tenant_id, id)
);
comment on table submission_versions is 'Answers that a later save replaced; the newest 50 of each submission are kept';
comment on column submission_versions.revision is 'The last revision of the submission that had these answers';
comment on column submission_versions.saved_by is 'As in submissions, at the time of these answers';
comment on column submission_versions.saved_at is 'When the submission got this revision';

-- Links to submissions, whose holders need no account.
create table submission_links (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  submission_id bigint not null,
  token_hash bytea not null,
  permits text not null check (permits in ('view', 'edit', 'continue')),
  note text,
  created_by json,
  job_id bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, submission_id) references submissions (tenant_id, id) on delete cascade
);
comment on column submission_links.token_hash is 'SHA-256 of the token; the token itself is not kept';
comment on column submission_links.job_id is 'The job that invited the person; null: the link is no invitation';
create unique index submission_links_token on submission_links (tenant_id, token_hash);
create index submission_links_of_submission on submission_links (tenant_id, submission_id);

-- Words of staff on submissions.
create table submission_comments (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  submission_id bigint not null,
  text text not null,
  created_by json not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, submission_id) references submissions (tenant_id, id) on delete cascade
);
create index submission_comments_of_submission on submission_comments (tenant_id, submission_id);

-- People who are invited by a job, until it has made their links.
create table invited_people (
  tenant_id bigint not null,
  job_id bigint not null,
  position integer not null,
  person text not null,
  primary key (tenant_id, job_id, position)
);
comment on column invited_people.person is 'JSON text: submitter and answers';

-- What an erasure has to report to identity-svc.
create table erased_texts (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  texts text[] not null,
  primary key (tenant_id, id)
);
comment on table erased_texts is 'Ids and display ids of erased respondents, until identity-svc has removed them from views and jobs';

-- The files of exports that run as jobs.
create table export_parts (
  tenant_id bigint not null,
  job_id bigint not null,
  part integer not null check (part >= 0),
  bytes integer not null check (bytes > 0),
  content bytea not null,
  primary key (tenant_id, job_id, part)
);
comment on table export_parts is 'Files of exports, which contain personal data; deleted when the export expires, fails or is cancelled';
comment on column export_parts.bytes is 'Bytes of content';

-- What tenants and forms have used (decision 0044). Each process adds what it has counted once a second, so the rows change
-- often and leave room for it.
create table tenant_use (
  tenant_id bigint primary key,
  day date not null,
  submissions bigint not null,
  answer_bytes bigint not null,
  recounted_at timestamptz
) with (fillfactor = 50);
comment on column tenant_use.submissions is 'Created on that day (UTC)';
comment on column tenant_use.answer_bytes is 'Of answers and metadata; counted again each day';

create table form_use (
  tenant_id bigint not null,
  form_id bigint not null,
  day date not null,
  anonymous bigint not null,
  primary key (tenant_id, form_id)
) with (fillfactor = 50);
comment on column form_use.anonymous is 'Anonymous submissions created on that day (UTC)';

-- Challenges of public forms that were answered, until they expire. A challenge itself is not stored.
create table used_challenges (
  nonce bytea primary key,
  expires_at timestamptz not null
);
comment on table used_challenges is 'Of no tenant: a nonce is random, and the signed challenge names its form';

-- The keys that sign form-access tokens, shared by all replicas.
create table form_access_keys (
  kid text primary key,
  private_key text not null,
  public_jwk json not null,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on column form_access_keys.private_key is 'PKCS 8 PEM, sealed';

-- Progress of the backfill of legacy submissions, so that an interrupted run continues where it stopped.
create table backfill_progress (
  step text primary key check (step in ('A', 'B', 'C', 'D', 'E')),
  last_id bigint not null,
  after_tenant_id bigint not null default (-9223372036854775808),
  after_id bigint not null default (-9223372036854775808),
  examined bigint not null default 0,
  changed bigint not null default 0,
  locked_tenant_ids bigint[] not null default '{}',
  locked_ids bigint[] not null default '{}',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  check (cardinality(locked_tenant_ids) = cardinality(locked_ids))
);
comment on table backfill_progress is 'One row per step of the latest run; written in the same statement as the rows of a batch';
comment on column backfill_progress.last_id is 'The newest submission when the run began; younger ones are for the next run';
comment on column backfill_progress.after_id is 'Submissions up to this tenant and id are done, but for locked_ids';
comment on column backfill_progress.locked_ids is 'Rows that another session held when their batch came; done before the step ends; their tenants are in locked_tenant_ids';
