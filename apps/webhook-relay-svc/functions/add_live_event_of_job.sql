-- Adds each change of a recovery to the live events, so that none is forgotten. The lock is that of `add_live_events`.
create function add_live_event_of_job() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7226014, hashtext(tg_table_schema));
  insert into live_events (tenant_id, id, topic, type, entity_id, occurred_at)
  values (new.tenant_id, next_id(), 'recoveries',
    case when new.finished_at is not null then 'recovery.ended'
         when tg_op = 'INSERT' then 'recovery.started' else 'recovery.progressed' end,
    new.id, clock_timestamp());
  return null;
end $$;

create trigger live_event_of_start after insert on jobs for each row
  when (new.kind = 'webhook_recovery') execute function add_live_event_of_job();
create trigger live_event_of_change after update of state, done, counts on jobs for each row
  when (new.kind = 'webhook_recovery' and
        (old.state is distinct from new.state or old.done is distinct from new.done
         or old.counts::text is distinct from new.counts::text))
  execute function add_live_event_of_job();
