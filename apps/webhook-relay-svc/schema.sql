-- The schema `webhooks`, as release 0.1.0 makes it. It is frozen: later changes are migrations.

-- Settings: copies of what submissions-svc owns. Versions never change; events name one.
create table settings_versions (
  tenant_id bigint not null,
  scope text not null check (scope in ('tenant', 'form', 'alerts')),
  scope_id bigint not null,
  version bigint not null,
  fetched_at timestamptz not null default now(),
  primary key (tenant_id, scope, scope_id, version)
);
comment on table settings_versions is 'Versions of webhook settings; they never change. Those of alerts are made here, the others by their owner';

create table settings_current (
  tenant_id bigint not null,
  scope text not null,
  scope_id bigint not null,
  version bigint not null,
  primary key (tenant_id, scope, scope_id),
  foreign key (tenant_id, scope, scope_id, version) references settings_versions
);
comment on table settings_current is 'The newest version known; URLs and credentials of each send come from it';

-- Endpoints with their health and their place in the queue. Rows change often and are small, so half of each page is free
-- for new versions, and vacuum runs by their number.
create table endpoints (
  tenant_id bigint not null,
  id bigint not null,
  scope text not null check (scope in ('tenant', 'form', 'alerts')),
  scope_id bigint not null,
  url text not null,
  revision bigint not null default 0,
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  max_in_flight integer not null default 5 check (max_in_flight between 1 and 100),
  max_per_second integer check (max_per_second between 1 and 1000),
  slots integer not null default 5 check (slots >= 1),
  failures integer not null default 0,
  failing_since timestamptz,
  reported_failing boolean not null default false,
  resume_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  removed_at timestamptz,
  in_flight integer not null default 0 check (in_flight >= 0),
  next_send_at timestamptz,
  first_due timestamptz,
  filtered_out bigint not null default 0,
  is_ready boolean not null default false,
  ready_at timestamptz,
  last_success_at timestamptz,
  dead_letters bigint not null default 0,
  primary key (tenant_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on column endpoints.id is 'Assigned by the owner of the settings; another URL or header is another endpoint';
comment on column endpoints.revision is 'Number of events about it: failing, disabled, recovered';
comment on column endpoints.max_per_second is 'Deliveries in any second from all replicas; null for no limit. Kept when settings change';
comment on column endpoints.slots is 'Deliveries it may be sent at once, at most max_in_flight: halved by overload, raised by each success';
comment on column endpoints.failures is 'Consecutive failures that show a fault of the endpoint';
comment on column endpoints.failing_since is 'Time of the first failure since the last success; null while the last attempt succeeded';
comment on column endpoints.reported_failing is 'An event reported that it fails, and none since that it recovered';
comment on column endpoints.resume_at is 'The circuit is open until then; due deliveries wait';
comment on column endpoints.disabled_at is 'Nothing is sent to it; its deliveries are recorded';
comment on column endpoints.removed_at is 'No longer in the current settings of its scope';
comment on column endpoints.in_flight is 'Leased deliveries, of all replicas';
comment on column endpoints.next_send_at is 'The first send slot that no claim has taken; for endpoints with a rate limit only';
comment on column endpoints.first_due is 'No waiting delivery without a lease has an earlier due time; null if none waits';
comment on column endpoints.filtered_out is 'Number of events that its filters left out';
comment on column endpoints.is_ready is 'A claim may take deliveries of it now. Kept by the trigger endpoint_readiness';
comment on column endpoints.ready_at is 'Its place in the line while it is ready; else when it becomes ready, or null. Kept by the trigger';
comment on column endpoints.dead_letters is 'Number of deliveries that became dead, each time; tests do not count';
create index endpoints_ready_by_tenant on endpoints (tenant_id, ready_at) where is_ready;
create index endpoints_ready on endpoints (ready_at) where is_ready;
create index endpoints_scheduled on endpoints (ready_at) where not is_ready and ready_at is not null;
create index endpoints_cancelling on endpoints (tenant_id, id) where removed_at is not null and first_due is not null;
-- The condition is always true. It keeps the planner from this index where the primary key serves.
create index endpoints_of_scope on endpoints (tenant_id, scope, scope_id) where scope_id is not null;

create table endpoint_secrets (
  tenant_id bigint not null,
  endpoint_id bigint not null,
  id bigint not null default next_id(),
  sealed text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (tenant_id, endpoint_id, id),
  foreign key (tenant_id, endpoint_id) references endpoints on delete cascade
);
comment on table endpoint_secrets is 'Signing secrets, newest first by id; more than one is in force only while a secret rotates';
comment on column endpoint_secrets.sealed is 'whsec_ secret, encrypted (AES-256-GCM)';

create table settings_targets (
  tenant_id bigint not null,
  scope text not null,
  scope_id bigint not null,
  version bigint not null,
  event_name text not null,
  endpoint_id bigint not null,
  is_enabled boolean not null,
  url text not null,
  conditions json,
  payload text not null default 'full' check (payload in ('full', 'ids', 'answersText')),
  format text not null default 'canvass' check (format in ('canvass', 'standard')),
  credentials_sealed text,
  primary key (tenant_id, scope, scope_id, version, event_name, endpoint_id),
  foreign key (tenant_id, scope, scope_id, version) references settings_versions on delete cascade,
  foreign key (tenant_id, endpoint_id) references endpoints on delete cascade
);
comment on table settings_targets is 'What a version contains: the endpoints of each event, their URLs and credentials';
comment on column settings_targets.event_name is 'As in the message, snake_case';
comment on column settings_targets.is_enabled is 'Of the event: used at fan-out only; waiting deliveries are still sent';
comment on column settings_targets.conditions is 'Filters of the endpoint, read; null: it gets every event';
comment on column settings_targets.credentials_sealed is 'JSON, encrypted (AES-256-GCM); null without';

-- Messages and the log are partitioned by id. Ids carry the time at which they were made, so a range of ids is a day, and
-- retention drops days instead of deleting rows. The default partitions keep the relay working without the days.
create table messages (
  tenant_id bigint not null,
  id bigint not null,
  event_name text not null,
  entity text not null,
  action text not null,
  body bytea storage external not null,
  traceparent text,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
) partition by range (id);
comment on column messages.id is 'Event id, so that a redelivered event conflicts with the primary key';
comment on column messages.body is 'The bytes of every request of this message; not compressed, so that pieces of it can be read';
create table messages_default partition of messages default;

create table waiting (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  endpoint_id bigint not null,
  message_id bigint not null,
  event_name text not null,
  entity_id bigint not null,
  form_id bigint,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  due_at timestamptz not null,
  attempts integer not null default 0,
  schedule_step integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  primary key (tenant_id, id),
  check ((lease is null) = (lease_until is null))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table waiting is 'Deliveries that are not final. Each change of a row locks the row of its endpoint first';
comment on column waiting.schedule_step is 'Failures since it was made or resent; selects the delay before the next attempt';
comment on column waiting.lease is 'Of the claim that sends it; a result counts only under the same lease';
create index waiting_due on waiting (tenant_id, endpoint_id, due_at, id) where lease is null;
create index waiting_leased on waiting (lease_until) where lease_until is not null;

create table deliveries (
  tenant_id bigint not null,
  id bigint not null,
  message_id bigint not null,
  endpoint_id bigint not null,
  event_name text not null,
  entity_id bigint not null,
  form_id bigint,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead', 'cancelled')),
  attempt_count integer not null,
  last_outcome text,
  last_status_code integer,
  last_attempt_at timestamptz,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  attempts json[] not null,
  primary key (tenant_id, id)
) partition by range (id);
comment on table deliveries is 'The log: a row from the first failure or the end of a delivery on. A waiting delivery without attempts has none';
comment on column deliveries.status is 'pending: resent, not tried since; failed: waits for its next attempt; the others are final';
comment on column deliveries.attempts is 'The newest 100, oldest first';
create index deliveries_by_endpoint on deliveries (tenant_id, endpoint_id, id);
create index deliveries_by_entity on deliveries (tenant_id, entity_id, id);
create index deliveries_by_form on deliveries (tenant_id, form_id, id);
create index deliveries_by_event on deliveries (tenant_id, event_name, id);
create index deliveries_failed on deliveries (tenant_id, endpoint_id, id) where status in ('failed', 'dead');
-- All but those of which the first attempt succeeded, with what filters compare.
create index deliveries_exceptions on deliveries (tenant_id, id, status, last_outcome, last_status_code, attempt_count)
  where status <> 'delivered' or attempt_count > 1;
create table deliveries_default partition of deliveries default;

create view delivery_log as
  select d.tenant_id, d.id, d.message_id, d.endpoint_id, d.event_name, d.entity_id, d.form_id, d.status,
         d.attempt_count, w.due_at as next_attempt_at, d.last_outcome, d.last_status_code, d.last_attempt_at,
         d.occurred_at, d.created_at, d.finished_at
  from deliveries d
  left join lateral (select due_at from waiting w where w.tenant_id = d.tenant_id and w.id = d.id limit 1) w
    on d.status in ('pending', 'failed')
  union all
  select w.tenant_id, w.id, w.message_id, w.endpoint_id, w.event_name, w.entity_id, w.form_id, 'pending', 0, w.due_at,
         null, null, null, w.occurred_at, w.created_at, null
  from waiting w where w.attempts = 0;
comment on view delivery_log is 'Every delivery as the API shows it, the waiting ones included';

create table recovery_items (
  tenant_id bigint not null,
  job_id bigint not null,
  delivery_id bigint not null,
  made_due_at timestamptz not null default now(),
  primary key (tenant_id, job_id, delivery_id),
  foreign key (tenant_id, job_id) references jobs on delete cascade
);
comment on table recovery_items is 'Deliveries that a recovery made due and that were not tried since';

create table erasures (
  tenant_id bigint not null,
  entity_id bigint not null,
  event_id bigint not null,
  answers text not null check (answers in ('kept', 'deleted')),
  erased_at timestamptz not null default now(),
  first_pass_at timestamptz,
  done_at timestamptz,
  primary key (tenant_id, entity_id)
);
comment on column erasures.event_id is 'Events of the submission with a smaller id are from before the erasure';
comment on column erasures.answers is 'kept: only the respondent was erased';
comment on column erasures.first_pass_at is 'When the copies of that time were erased, and none was in flight';
comment on column erasures.done_at is 'When no copy was left; null while the relay still erases';
create index erasures_open on erasures (erased_at) where done_at is null;

-- Statistics outlive the log (decision 0058). A job moves the rows of recent_attempts into attempt_stats.
create table recent_attempts (
  tenant_id bigint not null,
  endpoint_id bigint not null,
  event_name text not null,
  form_id bigint,
  outcome text not null,
  status text,
  started_at timestamptz not null,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real not null,
  end_to_end_ms real
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table recent_attempts is 'Attempts that attempt_stats does not count yet; without an index, because it is read as a whole';
comment on column recent_attempts.status is 'Of the delivery after the attempt; null if the attempt decided nothing';
comment on column recent_attempts.end_to_end_ms is 'From the change to the end of the attempt that delivered it; null for other attempts';

create table attempt_stats (
  tenant_id bigint not null,
  endpoint_id bigint not null,
  grain text not null check (grain in ('1m', '5m', '1h', '1d')),
  starts_at timestamptz not null,
  event_name text not null,
  form_id bigint not null,
  outcome text not null,
  cells smallint[] not null,
  counts integer[] not null,
  primary key (tenant_id, endpoint_id, grain, starts_at, event_name, form_id, outcome)
) with (fillfactor = 80);
comment on table attempt_stats is 'Number of attempts by the time at which they started, per minute, five minutes, hour and day (UTC)';
comment on column attempt_stats.form_id is '0 if the event belongs to no form';
comment on column attempt_stats.cells is 'What is counted, ascending: 0 attempts, 1 delivered, 2 dead, others a duration';
comment on column attempt_stats.counts is 'The number for each of cells';
create index attempt_stats_by_time on attempt_stats (grain, starts_at);

-- Alerts: whom a tenant wants to know of its endpoints, what was said of them, and the mails that wait for their server.
create table alert_settings (
  tenant_id bigint primary key,
  addresses text[] not null,
  language text not null check (language in ('en', 'de')),
  endpoint_id bigint,
  revision bigint not null default 1,
  active_since timestamptz,
  foreign key (tenant_id, endpoint_id) references endpoints
);
comment on column alert_settings.endpoint_id is 'The endpoint of the alert URL, whose scope is alerts; null without a URL';
comment on column alert_settings.active_since is 'Null if there is neither an address nor a URL';

create table test_counts (
  tenant_id bigint not null,
  kind text not null check (kind in ('alerts', 'endpoint')),
  since timestamptz not null,
  tests integer not null,
  primary key (tenant_id, kind)
);
comment on table test_counts is 'Test messages of the last hour that a tenant asked for';

create table alerts (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  endpoint_id bigint not null,
  kind text not null check (kind in ('failing', 'disable_soon', 'disabled', 'recovered', 'dead_letters')),
  episode timestamptz not null,
  dead_letters bigint not null,
  facts json not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, endpoint_id, kind, episode),
  foreign key (tenant_id, endpoint_id) references endpoints on delete cascade
);
comment on column alerts.episode is 'Begin of the failures, or of the state without failures: a kind of alert is said once of each';
comment on column alerts.dead_letters is 'Those of the endpoint at that time';
comment on column alerts.facts is '`Payload` of its message';
comment on column alerts.mailed_at is 'When it was put into a mail; null while it waits';
create index alerts_by_endpoint on alerts (tenant_id, endpoint_id, id);
create index alerts_pending on alerts (tenant_id, created_at) where mailed_at is null;

create table alert_mails (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  address text not null,
  language text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  primary key (tenant_id, id)
);
comment on table alert_mails is 'Mails that the server has not accepted; after a day they are dropped';
comment on column alert_mails.due_at is 'When it is sent; one that is being sent is due again after the longest attempt';
create index alert_mails_due on alert_mails (due_at);

create table live_events (
  tenant_id bigint not null,
  id bigint not null,
  topic text not null,
  type text not null,
  entity_id bigint not null,
  form_id bigint,
  revision bigint,
  occurred_at timestamptz not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table live_events is 'Changes of the last hour, for the streams of clients';
comment on column live_events.id is 'Position in a stream; ids grow in the order of commits, because writers hold an advisory lock';
create index live_events_by_age on live_events (id);

-- What a send needs. `url` is null if the current settings do not send the event to the endpoint.
create type delivery_target as (
  url text,
  payload text,
  format text,
  credentials_sealed text,
  is_degraded boolean,
  secrets text[]
);

-- A leased delivery. `body` is null if it is large: it is read when it is sent. Times are seconds since 1970, but `occurred_at`
-- milliseconds.
create type claimed_delivery as (
  id bigint, tenant_id bigint, endpoint_id bigint, message_id bigint, event_name text, attempts integer,
  schedule_step integer, claimed_at float8, send_at float8, entity text, action text, traceparent text, bytes integer,
  occurred_at float8, body bytea, url text, payload text, format text, credentials_sealed text, is_degraded boolean,
  secrets text[]
);

-- A delivery that the fan-out made. If it was leased, its target is there.
create type made_delivery as (
  id bigint, tenant_id bigint, endpoint_id bigint, message_id bigint, event_name text, leased boolean, claimed_at float8,
  send_at float8, url text, payload text, format text, credentials_sealed text, is_degraded boolean, secrets text[]
);

-- A result that counts: its index, the delivery before it, and its attempts with this one.
create type counted_result as (
  n integer,
  delivery waiting,
  attempt_count integer,
  started_at timestamptz,
  ended_at timestamptz
);
