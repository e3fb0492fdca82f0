/**
 * Common table expressions that make the deliveries in `batch`, rows of the log or of those that wait, due
 * now with the whole schedule before them. Those in flight are left alone. `resent` has the ids of the
 * others. One that was cancelled without an attempt leaves the log, as any that was not tried yet. Their
 * endpoint ($endpointId of $tenantId) is locked by an earlier statement.
 */
export const dueAgain = `
  sooner as (
    update waiting w set due_at = now(), schedule_step = 0
    where w.tenant_id = $tenantId and w.id = any (array(select id from batch)) and w.lease is null
    returning w.id
  ), again as (
    insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at,
                         created_at, due_at, attempts)
    select b.tenant_id, b.id, b.endpoint_id, b.message_id, b.event_name, b.entity_id, b.form_id, b.occurred_at,
           b.created_at, now(), b.attempt_count
    from batch b
    where not exists (select from waiting w where w.tenant_id = b.tenant_id and w.id = b.id offset 0)
    on conflict do nothing
    returning id
  ), resent as (
    select id from sooner union all select id from again
  ), logged as (
    update deliveries d set status = 'pending', finished_at = null
    from resent where d.tenant_id = $tenantId and d.id = resent.id and d.attempt_count > 0
  ), untried as (
    delete from deliveries d using resent where d.tenant_id = $tenantId and d.id = resent.id and d.attempt_count = 0
  ), due as (
    update endpoints e set first_due = least(e.first_due, now())
    where e.tenant_id = $tenantId and e.id = $endpointId and exists (select from resent)
  )`;
