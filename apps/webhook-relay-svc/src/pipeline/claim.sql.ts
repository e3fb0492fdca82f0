import { positionalStatement } from '@canvass/postgres';

/** Where a delivery goes. `url` is null if its endpoint is no longer in the settings for its event. */
export interface TargetRow {
  url: string | null;
  auth_header: string | null;
  api_key_sealed: string | null;
  secrets: string[] | null;
  /** It failed lately, so a success changes its health. */
  is_degraded: boolean;
}

/** One leased delivery with everything that a send needs. */
export interface LeasedRow extends TargetRow {
  id: string;
  tenant_id: string;
  endpoint_id: string;
  message_id: string;
  event_name: string;
  attempts: number;
  schedule_step: number;
  /** Seconds since 1970 by the database's clock. */
  claimed_at: number;
  /** Its send slot, if its endpoint has a rate limit; seconds since 1970 by the database's clock. */
  send_at: number | null;
  entity: string;
  action: string;
  traceparent: string | null;
  /** Size of the body; null if the message is no longer kept. */
  bytes: number | null;
  /** Null if it is large: it is read when it is sent. */
  body: Buffer | null;
}

/** Bodies up to this many bytes are returned by claims; the function `lease_waiting` has the same limit. */
export const smallBodyBytes = 65_536;

/**
 * $1 lease, $2 seconds, $3 room, $4 share of a tenant, $5 tenants and $6 their deliveries in flight, $7
 * tenant after which the walk starts, $8 lead of send slots, $9 and $10 floors of ready and scheduled
 * endpoints
 */
export const claimDue = positionalStatement(
  'claim_due',
  'select * from claim_due($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
);

/** $1 lease, $2 seconds, $3 room, $4 tenants, $5 endpoints, $6 ids, $7 lead of send slots */
export const claimByIds = positionalStatement(
  'claim_by_ids',
  'select * from claim_by_ids($1, $2, $3, $4, $5, $6, $7)',
);

export interface FloorsRow {
  ready: string;
  scheduled: string;
  leased: string;
}

/**
 * Times before which the three queue indexes have no live entry. While an old snapshot holds back the
 * vacuum, a walk from the start of an index steps over all entries made since; this one does, so that the
 * walks after it need not. The margin covers transactions that have set a time but not committed it yet.
 */
export const findFloors = positionalStatement(
  'find_queue_floors',
  `select least((select min(ready_at) from endpoints where is_ready), margin)::text as ready,
          least((select min(ready_at) from endpoints where not is_ready and ready_at is not null), margin)::text as scheduled,
          least((select min(lease_until) from waiting where lease_until is not null), margin)::text as leased
   from (select now() - interval '60 seconds' as margin) m`,
);

/**
 * Returns leases to the queue: locks the endpoints, frees their slots, and makes the deliveries claimable.
 * A delivery whose lease was ended or replaced meanwhile stays as it is. `lost` has place, tenant_id,
 * endpoint_id, id and lease.
 */
const releaseLeases = (lost: string) => `
  with lost as materialized (${lost}),
  locked as materialized (
    select e.id from endpoints e where (e.tenant_id, e.id) in (select tenant_id, endpoint_id from lost)
    order by e.tenant_id, e.id for no key update of e
  ), released as (
    update waiting w set lease = null, lease_until = null
    from lost l
    where (select count(*) from locked) > 0
      and w.ctid = l.place and w.tenant_id = l.tenant_id and w.id = l.id and w.lease = l.lease
    returning w.tenant_id, w.endpoint_id, w.id, w.due_at
  ), endpoint_after as (
    update endpoints e set in_flight = e.in_flight - r.released, first_due = least(e.first_due, r.first_due)
    from (select tenant_id, endpoint_id, count(*)::integer as released, min(due_at) as first_due
          from released group by tenant_id, endpoint_id) r
    where e.tenant_id = r.tenant_id and e.id = r.endpoint_id
  )
  select id from released`;

/** $1 tenant, $2 endpoint, $3 delivery, $4 lease: given back without an attempt. */
export const releaseLease = positionalStatement(
  'release_lease',
  releaseLeases(
    `select ctid as place, tenant_id, endpoint_id, id, lease from waiting
     where tenant_id = $1 and endpoint_id = $2 and id = $3 and lease = $4`,
  ),
);

/** $1 floor of the index, $2 leases of statements whose answer was lost */
export const releaseLostLeases = positionalStatement(
  'release_lost_leases',
  releaseLeases(
    `select ctid as place, tenant_id, endpoint_id, id, lease from waiting
     where lease_until >= $1::timestamptz and lease_until < now()
     union
     select ctid, tenant_id, endpoint_id, id, lease from waiting
     where cardinality($2::uuid[]) > 0 and lease_until >= $1::timestamptz and lease = any($2)`,
  ),
);

/** $1 deliveries of one step. Null if no removed endpoint has a waiting delivery. */
export const cancelRemoved = positionalStatement('cancel_removed', 'select cancel_removed($1) as cancelled');

/** $1 tenant, $2 message */
export const findBody = positionalStatement(
  'find_message_body',
  'select body from messages where tenant_id = $1 and id = $2',
);
