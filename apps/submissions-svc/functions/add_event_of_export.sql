-- Adds an event to the outbox when an export is started or its state changes. A trigger, because steps, failures, cancels and
-- erasures change it (decision 0065). An erasure can still end an export that is done. The lane is that of `laneSql`.
create function add_event_of_export() returns trigger language plpgsql as $$
declare
  form bigint := (new.request->>'formId')::bigint;
  revision bigint := case when tg_op = 'INSERT' then 1 when old.state = 'running' then 2 else 3 end;
begin
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, data)
  values ((new.id >> 1) % 64, 'export.' || new.state, new.tenant_id, 'export', new.id, form, revision,
    json_build_object('id', new.id::text, 'formId', form::text, 'revision', revision::text, 'state', new.state));
  return null;
end $$;
create trigger event_of_start after insert on jobs for each row
  when (new.kind = 'submission_export') execute function add_event_of_export();
create trigger event_of_change after update of state on jobs for each row
  when (new.kind = 'submission_export' and old.state <> new.state) execute function add_event_of_export();
