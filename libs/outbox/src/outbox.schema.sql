-- Events of the service on their way to RabbitMQ, and those that were published lately. Needs next_id().

-- `id` orders the events of an entity, `event_id` identifies an event for consumers. `json` keeps the bytes of the data.
-- The only index is the one that the dispatcher scans. Thousands of rows come and go, so vacuum runs by their number,
-- not by a share of a mostly empty table.
create table outbox (
  id bigint generated always as identity,
  lane smallint not null check (lane between 0 and 63),
  event_id bigint not null default next_id(),
  event_type text not null,
  tenant_id bigint not null,
  entity text not null,
  entity_id bigint not null,
  form_id bigint,
  revision bigint not null,
  settings json,
  traceparent text,
  data json not null,
  created_at timestamptz not null default now(),
  bytes integer not null generated always as (octet_length(data::text)) stored,
  primary key (lane, id)
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000, toast.autovacuum_vacuum_cost_delay = 0
);
comment on table outbox is 'Events to be published; written in the transaction of their change, deleted once confirmed.';

create table outbox_poison (
  event_id bigint primary key,
  reason text not null,
  event json not null,
  created_at timestamptz not null default now()
);
comment on table outbox_poison is 'Events that cannot be made into a message; kept for a person to look at.';

-- A ring of 16 partitions for windows of four hours, as `published.sql.ts` reads it.
create table outbox_published (
  slot smallint not null default (floor(extract(epoch from now()))::bigint / 14400 % 16)::smallint,
  published_at timestamptz not null default now(),
  id bigint not null,
  event_id bigint not null,
  event_type text not null,
  tenant_id bigint not null,
  entity text not null,
  entity_id bigint not null,
  form_id bigint,
  revision bigint not null,
  settings json,
  traceparent text,
  data json not null,
  created_at timestamptz not null
) partition by list (slot);
create index outbox_published_entity on outbox_published (entity_id);
comment on table outbox_published is 'Events that the broker has confirmed; kept for Service:Outbox:KeepHours.';

create function drop_published_events(keep_hours integer) returns void language plpgsql as $$
declare
  present constant bigint := floor(extract(epoch from now()))::bigint / 14400;
  last_window bigint;
  is_full boolean;
begin
  for slot in 0..15 loop
    last_window := present - (present - slot) % 16;
    if (last_window + 1) * 14400 <= extract(epoch from now()) - keep_hours * 3600 then
      execute format('select exists (select from %I)', 'outbox_published_' || slot) into is_full;
      if is_full then execute format('truncate %I', 'outbox_published_' || slot); end if;
    end if;
  end loop;
end $$;
comment on function drop_published_events is 'Empties the partitions whose events are all older';

-- The service may not truncate tables, so the function has the rights of its owner, and the search_path of this schema.
do $$ begin
  for slot in 0..15 loop
    execute format(
      'create table outbox_published_%s partition of outbox_published for values in (%s)
         with (autovacuum_vacuum_insert_threshold = -1)', slot, slot);
  end loop;
  execute format(
    'alter function drop_published_events security definer set search_path = %I, pg_temp set lock_timeout = ''500ms''',
    current_schema());
end $$;
