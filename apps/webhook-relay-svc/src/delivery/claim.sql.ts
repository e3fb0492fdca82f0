import { positionalStatement } from '@canvass/postgres';
import { chosenColumns, freeTurns, joinTurns, roomColumns, sendAt, takeTurns } from './turns.sql';

/** Where a delivery goes. `url` is null when its endpoint is no longer in the settings. */
export interface SendRow {
  tenant_id: string;
  endpoint_id: string;
  url: string | null;
  auth_header: string | null;
  api_key_sealed: string | null;
  secrets: string[];
  /** It failed lately: a success is news. */
  is_ailing: boolean;
}

/** One claimed delivery with everything a send needs. */
export interface ClaimedRow extends SendRow {
  id: string;
  attempts: number;
  schedule_step: number;
  /** Seconds since 1970 by the database's clock. */
  claimed_at: number;
  /** Its turn, where its endpoint has a rate limit; seconds since 1970 by the database's clock. */
  send_at: number | null;
  message_id: string;
  event_name: string;
  entity: string;
  action: string;
  body: Buffer;
  traceparent: string | null;
}

/**
 * Whether deliveries of an endpoint `e` may be claimed: of a disabled one only if it is removed from the
 * settings, to be cancelled.
 */
const mayBeClaimed = `(e.disabled_at is null or e.removed_at is not null)`;

/** None while the endpoint is paused, and fewer than it may have while it does not do well. */
const slots = `case when e.resume_at > now() then 0 else least(e.slots, e.max_in_flight) end`;

/**
 * Free slots of an enabled endpoint `e`. In random order, so that two processes that claim at one moment
 * rarely want the same slot; when they do, a key of `leases` decides and the loser's delivery stays for the
 * next sweep. Ordered by the index of the leases' times, see its migration.
 */
export const freeSlots = `
  array(select free.number from generate_series(1, ${slots}) as free (number)
        where free.number <> all(array(
          select l.slot from leases l
          where l.tenant_id = e.tenant_id and l.endpoint_id = e.id and l.lease_until > now()
          order by l.tenant_id, l.endpoint_id, l.lease_until))
        order by random())`;

/** Column of a row that was claimed. */
export const claimedAt = 'extract(epoch from clock_timestamp())::float8 as claimed_at';

/** Columns of SendRow, for a delivery `c` with `sendJoins`. */
export const sendColumns = `
  c.tenant_id, c.endpoint_id, t.url, t.auth_header, t.api_key_sealed, coalesce(t.is_ailing, false) as is_ailing,
  array(select s.sealed from endpoint_secrets s
        where s.tenant_id = c.tenant_id and s.endpoint_id = c.endpoint_id
          and (s.expires_at is null or s.expires_at > now())
        order by s.id desc) as secrets`;

/**
 * One look by the whole primary key at each table: the limit keeps the planner, which takes groups for single
 * rows, from joining some other way that is as good for one and bad for hundreds.
 */
export const sendJoins = `
  left join lateral (
    select t.url, t.auth_header, t.api_key_sealed, e.is_ailing
    from (select e.scope, e.scope_id, e.failures > 0 or e.slots < e.max_in_flight or e.reported_failing as is_ailing
          from endpoints e
          where e.tenant_id = c.tenant_id and e.id = c.endpoint_id limit 1) e
    cross join lateral (
      select now_in_force.version from settings_current now_in_force
      where now_in_force.tenant_id = c.tenant_id and now_in_force.scope = e.scope
        and now_in_force.scope_id = e.scope_id limit 1) now_in_force
    cross join lateral (
      select * from settings_targets t
      where t.tenant_id = c.tenant_id and t.scope = e.scope and t.scope_id = e.scope_id
        and t.version = now_in_force.version and t.event_name = c.event_name and t.endpoint_id = c.endpoint_id
      limit 1) t
  ) t on true`;

/**
 * The offset keeps it a look by key for each delivery: joined, all entries of former leases would be walked.
 */
const notInFlight = `not exists (select from leases l where l.delivery_id = d.id offset 0)`;

/**
 * Leases the rows of \`chosen\` and reads what a send needs, in the same statement. The candidates' rows are
 * locked, so a delivery whose result was recorded after this statement began is looked at again and no longer
 * matches. Slots are taken in one order everywhere: no deadlocks.
 */
const leaseChosen = `
  leased as (
    insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until)
    select tenant_id, endpoint_id, slot, id, $1, now() + $2 * interval '1 second' from chosen
    order by tenant_id, endpoint_id, slot
    on conflict do nothing
    returning delivery_id
  ), ${takeTurns}
  select c.id, c.attempts, c.schedule_step, ${sendAt}, ${claimedAt},
         m.id as message_id, m.event_name, m.entity, m.action, m.body, m.traceparent, ${sendColumns}
  from chosen c
  cross join lateral (
    select * from messages m where m.id = c.message_id and m.tenant_id = c.tenant_id limit 1) m
  ${sendJoins}
  where c.id = any(array(select delivery_id from leased))`;

const candidateColumns = `d.id, d.tenant_id, d.endpoint_id, d.message_id, d.event_name, d.attempts, d.schedule_step`;

/**
 * $1 token, $2 lease seconds, $3 ids, $4 and $5 lead and horizon of turns. A delivery that was never tried
 * may be claimed by its id before it is due: then its due time only says when the sweeper should stop waiting
 * for the job.
 */
export const claimByIds = positionalStatement(
  'claim_by_ids',
  `with candidate as (
     select ${candidateColumns} from deliveries d
     where d.id = any($3::bigint[]) and (d.next_attempt_at <= now() or d.status = 'pending') and ${notInFlight}
     for no key update of d skip locked
   ), ${freeTurns('select tenant_id, endpoint_id from candidate', { lead: '$4', horizon: '$5' })},
   room as materialized (
     select ${roomColumns(freeSlots)}
     from endpoints e ${joinTurns}
     where (e.tenant_id, e.id) in (select tenant_id, endpoint_id from candidate) and ${mayBeClaimed}
   ), ranked as (
     select *, row_number() over (partition by tenant_id, endpoint_id order by id) as rank from candidate
   ), chosen as materialized (
     select ${chosenColumns} from ranked join room using (tenant_id, endpoint_id)
     where rank <= cardinality(room.free)
   ), ${leaseChosen}`,
);

/**
 * A time before which nothing waits. While any transaction of the server is old, no vacuum may remove what is
 * done, and a walk from the beginning steps over every delivery made since; this one does, so that those that
 * begin at its result need not. The margin is for statements that are slow: their `now()` is when they began.
 */
export const waitingSince = positionalStatement(
  'waiting_since',
  `with recursive waiting as (
     (select tenant_id, endpoint_id, next_attempt_at from deliveries where next_attempt_at is not null
      order by tenant_id, endpoint_id, next_attempt_at limit 1)
     union all
     select following.* from waiting cross join lateral (
       select d.tenant_id, d.endpoint_id, d.next_attempt_at from deliveries d
       where d.next_attempt_at is not null
         and (d.tenant_id, d.endpoint_id) > (waiting.tenant_id, waiting.endpoint_id)
       order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1
     ) following
   )
   select least(min(next_attempt_at), now() - interval '10 seconds')::text as since from waiting`,
);

/**
 * $1 token, $2 lease seconds, $3 limit, $4 a time before which nothing waits, $5 and $6 lead and horizon of
 * turns.
 *
 * Walks the endpoints that have anything waiting by a loose index scan, so an endpoint with a million due
 * deliveries costs the same as one with a single one, and gives each its free slots; the first of every
 * endpoint comes before the second of any. The scan is ordered by all three columns of the index of what
 * waits, so that no other index, full of what is long done, looks as good to the planner.
 */
export const claimDue = positionalStatement(
  'claim_due',
  `with recursive waiting as (
     (select tenant_id, endpoint_id from deliveries where next_attempt_at >= $4::timestamptz
      order by tenant_id, endpoint_id, next_attempt_at limit 1)
     union all
     select following.* from waiting cross join lateral (
       select d.tenant_id, d.endpoint_id from deliveries d
       where d.next_attempt_at >= $4::timestamptz
         and (d.tenant_id, d.endpoint_id) > (waiting.tenant_id, waiting.endpoint_id)
       order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1
     ) following
   ), ${freeTurns('select tenant_id, endpoint_id from waiting', { lead: '$5', horizon: '$6' })},
   room as materialized (
     select ${roomColumns(freeSlots)}
     from waiting join endpoints e on e.tenant_id = waiting.tenant_id and e.id = waiting.endpoint_id
     ${joinTurns}
     where ${mayBeClaimed}
   ), candidate as (
     select due.* from room cross join lateral (
       select ${candidateColumns}, d.next_attempt_at from deliveries d
       where d.tenant_id = room.tenant_id and d.endpoint_id = room.endpoint_id
         and d.next_attempt_at >= $4::timestamptz and d.next_attempt_at <= now() and ${notInFlight}
       order by d.next_attempt_at limit least(cardinality(room.free), 1 + $3 / (select count(*) from room))
       for no key update of d skip locked
     ) due
   ), ranked as (
     select *, row_number() over (partition by tenant_id, endpoint_id order by next_attempt_at, id) as rank
     from candidate
   ), chosen as materialized (
     select ${chosenColumns} from ranked join room using (tenant_id, endpoint_id)
     where rank <= cardinality(room.free)
     order by rank, next_attempt_at limit $3
   ), ${leaseChosen}`,
);

/**
 * Frees what senders that were killed have left, so that it can be claimed again, and what was leased by
 * statements whose answer was lost.
 *
 * $1 tokens of those
 */
export const deleteLostLeases = positionalStatement(
  'delete_lost_leases',
  `with lost as materialized (
     select delivery_id from leases where lease_until < now() or token = any($1::uuid[]) for update skip locked
   )
   delete from leases where delivery_id = any(array(select delivery_id from lost)) returning delivery_id`,
);

/**
 * $1 ids: deliveries that were not claimed are due now, for whoever sweeps next. Locked in the order of all
 * that lock more than one.
 */
export const makeDue = positionalStatement(
  'make_due',
  `with early as materialized (
     select id from deliveries where id = any($1::bigint[]) and status = 'pending' and next_attempt_at > now()
     order by id for no key update
   )
   update deliveries set next_attempt_at = now() where id = any(array(select id from early))`,
);
