-- Adds the event of a delivery that is dead to the outbox. The revision is the number of attempts, which grows when a delivery is
-- resent and dies again. The sender of a test, whose entity is 0, reads its result itself.
create function report_dead_delivery(
  p_delivery waiting, p_attempts integer, p_outcome text, p_status_code integer, p_traceparent text)
returns void language sql as $$
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, traceparent, data)
  select
    (p_delivery.id >> 1) % 64, 'webhook.delivery_dead', p_delivery.tenant_id, 'delivery', p_delivery.id,
    p_delivery.form_id, p_attempts, p_traceparent,
    json_build_object(
      'id', p_delivery.id::text, 'endpointId', p_delivery.endpoint_id::text,
      'messageId', p_delivery.message_id::text, 'eventName', p_delivery.event_name,
      'entityId', p_delivery.entity_id::text, 'formId', p_delivery.form_id::text, 'attempts', p_attempts,
      'lastOutcome', p_outcome, 'lastStatusCode', p_status_code,
      'occurredAt', to_char(p_delivery.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  where p_delivery.entity_id <> 0
$$;
