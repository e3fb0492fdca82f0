import { advisoryLocks, statement } from '@canvass/postgres';
import type { Topic } from './topics';

/** The time for which a client may be away and miss nothing. */
const keptSeconds = 3_600;
/** Ids from before this time are committed: a session that holds the lock ends sooner. */
const settledSeconds = 120;

/** The smallest id of a time, `shift` seconds from now. */
const idOf = (shift: number) =>
  `((((extract(epoch from now()) + ${shift}) * 1000)::bigint - 1767225600000) << 22)`;

/** A change that clients are notified of. */
export interface LiveEvent {
  id: string;
  topic: Topic;
  type: string;
  entityId: string;
  formId: string | null;
  revision: string | null;
  occurredAt: Date;
}

interface EventColumns {
  tenantIds: string[];
  topics: Topic[];
  types: string[];
  entityIds: string[];
  formIds: (string | null)[];
  revisions: string[];
  occurredAt: string[];
}

/**
 * Adds events. The lock is held until the commit, so a reader that has seen an id never meets a smaller one
 * later. The ids are drawn after the lock was acquired.
 */
export const addLiveEvents = statement<EventColumns>(
  'add_live_events',
  `with locked as (
     select pg_advisory_xact_lock(${advisoryLocks.liveEvents}, hashtext(current_schema()))
   )
   insert into live_events (tenant_id, id, topic, type, entity_id, form_id, revision, occurred_at)
   select e.tenant_id, next_id(), e.topic, e.type, e.entity_id, e.form_id, e.revision, e.occurred_at
   from locked, unnest($tenantIds::bigint[], $topics::text[], $types::text[], $entityIds::bigint[],
                       $formIds::bigint[], $revisions::bigint[], $occurredAt::timestamptz[])
     as e (tenant_id, topic, type, entity_id, form_id, revision, occurred_at)`,
);

/**
 * Finds where a new stream begins: at the newest event. Whether all events after `after` are still there, so
 * that the stream can begin at that position.
 */
export const findPosition = statement<
  { tenantId: string; after: string | null },
  { newest: string; isKept: boolean }
>(
  'find_live_position',
  `select greatest((select max(id) from live_events where tenant_id = $tenantId), ${idOf(-settledSeconds)}) as newest,
     $after::bigint between ${idOf(-keptSeconds)} and ${idOf(settledSeconds)} as "isKept"`,
);

/**
 * The next events of each stream, at most `rows` of each: one row per event, or one without an event, with
 * the position from which the stream continues.
 */
export const readLiveEvents = statement<
  { tenants: string[]; positions: string[]; rows: number },
  { stream: number; position: string } & { [Member in keyof LiveEvent]: LiveEvent[Member] | null }
>(
  'read_live_events',
  `select s.n::integer as stream, coalesce(e.id, greatest(s.position, ${idOf(-settledSeconds)})) as position,
     e.id, e.topic, e.type, e.entity_id as "entityId", e.form_id as "formId", e.revision,
     e.occurred_at as "occurredAt"
   from unnest($tenants::bigint[], $positions::bigint[]) with ordinality as s (tenant_id, position, n)
   left join lateral (
     select * from live_events l where l.tenant_id = s.tenant_id and l.id > s.position
     order by l.tenant_id, l.id limit $rows) e on true
   order by s.n, e.id`,
);

/** Deletes at most `rows` events a minute after clients can resume from them for the last time. */
export const deleteOldLiveEvents = statement<{ rows: number }, { removed: true }>(
  'delete_old_live_events',
  `delete from live_events where ctid = any (array(
     select ctid from live_events where id < ${idOf(-keptSeconds - 60)} order by id limit $rows))
   returning true as removed`,
);
