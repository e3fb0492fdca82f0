import { advisoryLocks, statement } from '@canvass/postgres';

export interface LaneRow {
  lane: number;
  pending: number;
  oldestAgeSeconds: number | null;
  isLed: boolean;
}

/** Counted up to 100,000 per lane. */
export const inspectLanes = statement<void, LaneRow>(
  'outbox_inspect_lanes',
  `select n as lane,
          (select count(*) from (select from outbox where lane = n order by id limit 100000) as counted)::int as pending,
          (select extract(epoch from clock_timestamp() - created_at)::int from outbox
            where lane = n order by id limit 1) as "oldestAgeSeconds",
          exists (select from pg_locks
                   where locktype = 'advisory' and granted and classid = ${advisoryLocks.outboxLane}::oid
                     and database = (select oid from pg_database where datname = current_database())
                     and objid = (hashtext(current_schema() || n::text)::bigint & 4294967295)::oid) as "isLed"
     from generate_series(0, 3) as n`,
);

export interface StuckRow {
  lane: number;
  eventId: string;
  type: string;
  tenantId: string;
  entityId: string;
  ageSeconds: number;
}

/** The oldest rows are the first of each lane. Without `data`, which contains personal data. */
export const findStuck = statement<{ seconds: string | undefined; limit: string | undefined }, StuckRow>(
  'outbox_find_stuck',
  `select lane, event_id as "eventId", event_type as type, tenant_id as "tenantId", entity_id as "entityId",
          extract(epoch from clock_timestamp() - created_at)::int as "ageSeconds"
     from generate_series(0, 3) as n
     cross join lateral (select * from outbox where lane = n order by id limit $limit::int) as first
    where created_at < clock_timestamp() - $seconds * interval '1 second'
    order by created_at limit $limit::int`,
);

export interface PoisonRow {
  eventId: string;
  type: string;
  tenantId: string;
  entityId: string;
  reason: string;
  poisonedAt: Date;
}

const poisonColumns = `event_id as "eventId", event ->> 'event_type' as type, event ->> 'tenant_id' as "tenantId",
  event ->> 'entity_id' as "entityId", reason, created_at as "poisonedAt"`;

export const listPoison = statement<{ limit: string | undefined }, PoisonRow>(
  'outbox_list_poison',
  `select ${poisonColumns} from outbox_poison order by created_at limit $limit`,
);

export const findPoison = statement<{ eventId: string | undefined }, PoisonRow & { event: string }>(
  'outbox_find_poison',
  `select ${poisonColumns}, event::text as event from outbox_poison where event_id = $eventId`,
);

/**
 * The event follows later events of its entity; consumers order them by revision. `event` keeps the bytes of
 * `data`.
 */
export const retryPoison = statement<{ eventId: string | undefined }, { eventId: string }>(
  'outbox_retry_poison',
  `with gone as (delete from outbox_poison where event_id = $eventId returning event)
   insert into outbox (lane, event_id, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent,
                       data, created_at)
   select r.lane, r.event_id, r.event_type, r.tenant_id, r.entity, r.entity_id, r.form_id, r.revision, r.settings, r.traceparent,
          r.data, r.created_at
     from gone cross join lateral json_populate_record(null::outbox, gone.event) as r
   returning event_id as "eventId"`,
);

export const discardPoison = statement<{ eventId: string | undefined }, { eventId: string }>(
  'outbox_discard_poison',
  `delete from outbox_poison where event_id = $eventId returning event_id as "eventId"`,
);
