/**
 * Turns of endpoints with a rate limit: the moments at which they may be sent something, a fixed time apart
 * by the database's clock, each taken by one claim. For endpoints without a limit nothing here reads or locks
 * a row.
 */

/**
 * Five per cent more than the rate asks for, so that turns that are used up to 50 ms late are never more than
 * the rate plus one in a second.
 */
const apart = `interval '1.05 seconds' / e.max_per_second`;

/**
 * Parameters of a claim, by number: seconds that a claim takes to come back, and seconds ahead that turns are
 * taken.
 */
export interface TurnParameters {
  lead: string;
  horizon: string;
}

/** No clock of a database that was restored, or runs backwards, stops an endpoint for longer. */
const furthestAhead = `interval '5 seconds'`;

/**
 * CTE: for each limited endpoint that `endpoints` names (columns tenant_id, endpoint_id) its first free turn,
 * the time between turns, and how many there are within the horizon. Its row stays locked until the claim is
 * committed; where another claim has the row, there is none.
 */
export const freeTurns = (endpoints: string, { lead, horizon }: TurnParameters) => `
  turns as materialized (
    select limited.*,
           greatest(0, 1 + floor(extract(epoch from soonest + ${horizon} * interval '1 second' - first)
                                 / extract(epoch from apart)))::integer as free
    from (
      select e.tenant_id, e.id as endpoint_id, ${apart} as apart, soonest,
             least(greatest(soonest, e.next_send_at), soonest + ${furthestAhead}) as first
      from endpoints e cross join lateral (
        select clock_timestamp() + ${lead}::float8 * interval '1 second' as soonest offset 0) now
      where e.max_per_second is not null and (e.tenant_id, e.id) in (${endpoints})
      for no key update of e skip locked
    ) limited
  )`;

/**
 * Columns of the CTE `room` for an enabled endpoint `e`, with `joinTurns`: of its free slots those that have
 * a turn.
 */
export const roomColumns = (freeSlots: string) => `
  e.tenant_id, e.id as endpoint_id, t.first, t.apart,
  (${freeSlots})[1:case when e.max_per_second is null then e.max_in_flight else coalesce(t.free, 0) end] as free`;

export const joinTurns = `left join turns t on t.tenant_id = e.tenant_id and t.endpoint_id = e.id`;

/**
 * Columns of the CTE `chosen`, of `ranked` joined to `room`; the last two are null where there is no limit.
 */
export const chosenColumns = `
  ranked.*, room.free[rank] as slot, room.first + (rank - 1) * room.apart as send_at,
  room.first + rank * room.apart as next_send_at`;

/** CTE: the turns of `chosen` are taken. */
export const takeTurns = `
  taken as (
    update endpoints e set next_send_at = last.next_send_at
    from (select tenant_id, endpoint_id, max(next_send_at) as next_send_at from chosen
          where next_send_at is not null group by tenant_id, endpoint_id) last
    where e.tenant_id = last.tenant_id and e.id = last.endpoint_id
  )`;

/** Column of a row that was claimed: seconds since 1970 by the database's clock. */
export const sendAt = 'extract(epoch from send_at)::float8 as send_at';
