-- Long work of the service. Needs next_id().
create table jobs (
  tenant_id bigint not null,
  id bigint not null default next_id(),
  kind text not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  request json not null,
  reason text,
  started_by json,
  started_version integer,
  total bigint not null check (total >= 0),
  done bigint not null default 0,
  counts json not null default '{}',
  place json not null default '{}',
  result json,
  error text,
  failures integer not null default 0,
  next_step_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((state = 'running') = (finished_at is null)),
  constraint jobs_started_version check (started_version is null or started_by is not null)
) with (fillfactor = 50);
create index jobs_due on jobs (next_step_at) where state = 'running';
create index jobs_by_kind on jobs (tenant_id, kind, id);
create index jobs_finished on jobs (finished_at) where finished_at is not null;
comment on table jobs is 'Long work in small committed steps. A step locks its row, so one process at a time works on a job';
comment on column jobs.request is 'What was asked for; it does not change';
comment on column jobs.started_by is 'The caller: provider, kind and subject';
comment on column jobs.started_version is 'Version of the rights of an own account that started it; null: they are not known to end';
comment on column jobs.total is 'Items when the job was asked for; more or fewer may be found later';
comment on column jobs.done is 'Items that steps have looked at';
comment on column jobs.counts is 'Numbers by name; the names depend on the kind';
comment on column jobs.place is 'Where the next step continues';
comment on column jobs.failures is 'Consecutive failed steps';
