import { statement } from '@canvass/postgres';
import { lanesWithLeaders } from './lane.sql';
import { laneCount } from './lanes';

export interface LeaderRow {
  /** Process id of the leading session; null for lanes without a leader. */
  leader: number | null;
  application: string | null;
  lanes: number;
  pending: number;
  oldestAgeSeconds: number | null;
}

/** Counted up to 10,000 per lane. */
export const inspectLeaders = statement<void, LeaderRow>(
  'outbox_inspect_leaders',
  `select leader, (select application_name from pg_stat_activity where pid = leader) as application,
          count(*)::int as lanes, sum(pending)::int as pending, max(age) as "oldestAgeSeconds"
     from ${lanesWithLeaders} as led
    cross join lateral (
      select count(*) as pending from (select from outbox where lane = led.lane order by id limit 10000) as counted) as waiting
     left join lateral (
      select extract(epoch from clock_timestamp() - created_at)::int as age
        from outbox where lane = led.lane order by id limit 1) as first on true
    group by leader order by leader`,
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
     from generate_series(0, ${laneCount - 1}) as n
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
