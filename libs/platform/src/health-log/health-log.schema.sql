-- The health checks of all copies of a service, and each change of their status. Needs next_id().
create table health_checks (
  copy text not null,
  check_name text not null,
  status text not null,
  description text,
  duration text not null,
  since timestamptz not null default now(),
  reported_at timestamptz not null default now(),
  primary key (copy, check_name)
);
comment on table health_checks is 'The latest report of each copy; it belongs to no tenant';
comment on column health_checks.since is 'Of the status';

create table health_changes (
  id bigint not null default next_id() primary key,
  copy text not null,
  check_name text not null,
  status text not null,
  description text,
  at timestamptz not null default now()
);
create index health_changes_by_time on health_changes (at);
comment on column health_changes.status is 'From this time on; Silent: no report of the copy any more, Stopped: it ended';
