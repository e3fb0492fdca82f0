-- Adds an event to the outbox when a staged import begins, changes its state or is deleted. A trigger, because requests,
-- failures and the expiry do it (decision 0065). The lane is that of `laneSql`.
create function add_event_of_import() returns trigger language plpgsql as $$
declare
  import list_imports := case when tg_op = 'DELETE' then old else new end;
  state text := case when tg_op = 'DELETE' then 'deleted' else import.state end;
  revision bigint := case state when 'receiving' then 1 when 'applied' then 3 when 'deleted' then 4 else 2 end;
begin
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, revision, data)
  values ((import.id >> 1) % 64, 'import.' || state, import.tenant_id, 'import', import.id, revision,
    json_build_object('id', import.id::text, 'listId', import.list_id::text, 'revision', revision::text, 'state', state));
  return null;
end $$;
create trigger event_of_start_or_end after insert or delete on list_imports for each row
  execute function add_event_of_import();
create trigger event_of_change after update of state on list_imports for each row
  when (old.state <> new.state) execute function add_event_of_import();
