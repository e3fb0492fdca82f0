-- Create and drop the partition of a day of the log, with the rights of the role that migrates. So the role of the service,
-- which is `session_user`, needs no right to create or drop tables.
create function create_log_day(parent text, day text, first_id bigint, next_id bigint) returns void
language plpgsql as $$
begin
  if parent not in ('messages', 'deliveries') or day !~ ('^' || parent || '_[a-z0-9]+$') then
    raise exception '% is not a day of %', day, parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
    day, parent, first_id, next_id);
  if session_user <> current_user then
    execute format('grant select, insert, update, delete on %I to %I', day, session_user);
  end if;
end $$;

create function drop_log_day(parent text, day text) returns void language plpgsql as $$
begin
  if parent not in ('messages', 'deliveries') or not exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(parent) and c.relname = day and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  ) then
    raise exception '% is not a day of %', day, parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %I', day);
end $$;

do $$ begin
  execute format('alter function create_log_day security definer set search_path = %I, pg_temp', current_schema());
  execute format('alter function drop_log_day security definer set search_path = %I, pg_temp', current_schema());
end $$;
