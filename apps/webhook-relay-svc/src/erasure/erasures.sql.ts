import { statement } from '@canvass/postgres';
import type { Erasure } from '../pipeline';

/** A respondent may be erased first and the answers later, but not the other way round. */
export const addErasure = statement<Erasure>(
  'erasures_add',
  `insert into erasures as e (tenant_id, entity_id, event_id, answers) values ($tenantId, $entityId, $eventId, $answers)
   on conflict (tenant_id, entity_id) do update set
     event_id = excluded.event_id, erased_at = now(), first_pass_at = null, done_at = null,
     answers = case when e.answers = 'deleted' then 'deleted' else excluded.answers end
     where e.event_id < excluded.event_id`,
);

export interface OpenErasure extends Erasure {
  /** Long enough ago that nothing from before is in flight. */
  isLast: boolean;
}

/** Finds those that had no pass yet, or are old enough for the last one; oldest first. */
export const findOpen = statement<{ seconds: number; limit: number }, OpenErasure>(
  'erasures_find_open',
  `select tenant_id as "tenantId", entity_id as "entityId", event_id as "eventId", answers,
     erased_at < now() - $seconds * interval '1 second' as "isLast"
   from erasures
   where done_at is null and (first_pass_at is null or erased_at < now() - $seconds * interval '1 second')
   order by erased_at limit $limit`,
);

/** Counted up to a limit. */
export const countOpen = statement<void, { open: number }>(
  'erasures_count_open',
  'select count(*)::integer as open from (select from erasures where done_at is null limit 100000) counted',
);

interface Entities {
  tenantId: string;
  entityIds: readonly string[];
}

/** Ids carry their time, and a delivery is younger than its submission, up to ten minutes between clocks. */
const waitingOf = `w.tenant_id = $tenantId and w.entity_id = any ($entityIds::bigint[])
     and w.id > (select min(n) from unnest($entityIds::bigint[]) n) - (600000::bigint << 22)`;

/** The endpoints of waiting deliveries. */
export const lockEndpoints = statement<Entities>(
  'erasures_lock_endpoints',
  `select from endpoints where tenant_id = $tenantId and id = any (array(
     select w.endpoint_id from waiting w where ${waitingOf} and w.event_name <> 'submission_deleted'))
   order by tenant_id, id for no key update`,
);

/** Cancels deliveries of endpoints that are locked. Those in flight stay until their attempt has ended. */
export const cancelWaiting = statement<Entities>(
  'erasures_cancel_waiting',
  `with cancelled as (
     delete from waiting w where ${waitingOf} and w.lease is null and w.event_name <> 'submission_deleted' returning w.*
   )
   insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status,
                           attempt_count, occurred_at, created_at, finished_at, attempts)
   select tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, 'cancelled', attempts, occurred_at,
          created_at, now(), '{}'
   from cancelled
   on conflict (tenant_id, id) do update set status = 'cancelled', finished_at = now()`,
);

/** JSON object `object` with the members of `$members` in place of its own. */
const erased = (object: string) =>
  `(select json_object_agg(o.key, coalesce($members::json -> o.key, o.value)) from json_each(${object}) o)`;

/** Messages of deletions contain ids only. */
export const eraseMessages = statement<Entities & { members: string }>(
  'erasures_erase_messages',
  `with touched as (
     select d.message_id from deliveries d where d.tenant_id = $tenantId and d.entity_id = any ($entityIds::bigint[])
     union
     select w.message_id from waiting w where ${waitingOf}
   )
   update messages m set body = convert_to((
     select json_object_agg(p.key, case when p.key = 'Payload' then ${erased('p.value')} else p.value end)::text
     from json_each(convert_from(m.body, 'UTF8')::json) p), 'UTF8')
   where m.tenant_id = $tenantId and m.id in (select message_id from touched) and m.action <> 'deleted'`,
);

/** A receiver may have repeated the data in its response. With `$deletes` what failed is not sent again. */
export const eraseLog = statement<Entities & { members: string; deletes: boolean }>(
  'erasures_erase_log',
  `update deliveries d set
     attempts = array(select ${erased('a.attempt')} from unnest(d.attempts) with ordinality a (attempt, n) order by n),
     status = case when $deletes::boolean and d.status in ('failed', 'dead') then 'cancelled' else d.status end
   where d.tenant_id = $tenantId and d.entity_id = any ($entityIds::bigint[])`,
);

/** Ends a pass unless an attempt is still in flight: then the pass is repeated. */
export const finishPass = statement<Entities & { isLast: boolean }>(
  'erasures_finish_pass',
  `update erasures e set
     first_pass_at = coalesce(e.first_pass_at, now()), done_at = case when $isLast::boolean then now() end
   where e.tenant_id = $tenantId and e.entity_id = any ($entityIds::bigint[]) and not exists (
     select from waiting w where ${waitingOf} and w.entity_id = e.entity_id and w.lease is not null)`,
);
