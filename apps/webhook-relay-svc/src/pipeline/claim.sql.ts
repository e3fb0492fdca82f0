import type { WebhookFormat, WebhookPayload } from '@canvass/contracts';
import { statement } from '@canvass/postgres';

/** The target of a delivery. `url` is null if its endpoint is no longer in the settings for its event. */
export interface TargetRow {
  url: string | null;
  payload: WebhookPayload;
  format: WebhookFormat;
  credentialsSealed: string | null;
  secrets: string[] | null;
  /** Returns whether it failed lately, so a success changes its health. */
  isDegraded: boolean;
}

/** One leased delivery with everything that a send needs. */
export interface LeasedRow extends TargetRow {
  id: string;
  tenantId: string;
  endpointId: string;
  messageId: string;
  eventName: string;
  /** The attempts before this one. */
  attempts: number;
  /** Failures since it was made or resent. */
  scheduleStep: number;
  /** Seconds since 1970 by the database's clock. */
  claimedAt: number;
  /** The send slot, if its endpoint has a rate limit; seconds since 1970 by the database's clock. */
  sendAt: number | null;
  entity: string;
  action: string;
  traceparent: string | null;
  /** Time of the change, milliseconds since 1970; 0 if the message is no longer kept. */
  occurredAt: number;
  /** Size of the body; null if the message is no longer kept. */
  bytes: number | null;
  /** Null if it is large: it is read when it is sent. */
  body: Buffer | null;
}

const leased = `
  id, tenant_id as "tenantId", endpoint_id as "endpointId", message_id as "messageId", event_name as "eventName",
  attempts, schedule_step as "scheduleStep", claimed_at as "claimedAt", send_at as "sendAt", entity, action, traceparent,
  bytes, occurred_at as "occurredAt", body, url, payload, format, credentials_sealed as "credentialsSealed", secrets, is_degraded as "isDegraded"`;

/** Bodies up to this many bytes are returned by claims; the function `lease_waiting` has the same limit. */
export const smallBodyBytes = 65_536;

/** The limits of what one statement may lease, and for how long. */
export interface LeaseParams {
  lease: string;
  seconds: number;
  /** Most deliveries. */
  room: number;
  /** Most deliveries of one tenant in this process, and what the tenants have in flight in it. */
  share: number;
  tenants: readonly string[];
  used: readonly number[];
  /** The lead of the answer; send slots before it would be missed. */
  leadSeconds: number;
}

/** The walk starts after the tenant `cursor`. `ready` and `scheduled` are floors (`findFloors`). */
export const claimDue = statement<
  LeaseParams & { cursor: string; ready: string; scheduled: string },
  LeasedRow
>(
  'claim_due',
  `select ${leased}
   from claim_due($lease, $seconds, $room, $share, $tenants, $used, $cursor, $leadSeconds, $ready, $scheduled)`,
);

type ByIdsParams = Pick<LeaseParams, 'lease' | 'seconds' | 'room' | 'leadSeconds'> &
  Record<'tenantIds' | 'endpointIds' | 'ids', readonly string[]>;

export const claimByIds = statement<ByIdsParams, LeasedRow>(
  'claim_by_ids',
  `select ${leased} from claim_by_ids($lease, $seconds, $room, $tenantIds, $endpointIds, $ids, $leadSeconds)`,
);

export type FloorsRow = Record<'ready' | 'scheduled' | 'leased', string>;

/**
 * Times before which the three queue indexes have no live entry. While an old snapshot holds back the
 * vacuum, a walk from the start of an index steps over all entries made since; this one does, so that the
 * walks after it need not. The margin covers transactions that have set a time but not committed it yet.
 */
export const findFloors = statement<void, FloorsRow>(
  'find_queue_floors',
  `select least((select min(ready_at) from endpoints where is_ready), margin)::text as ready,
          least((select min(ready_at) from endpoints where not is_ready and ready_at is not null), margin)::text as scheduled,
          least((select min(lease_until) from waiting where lease_until is not null), margin)::text as leased
   from (select now() - interval '60 seconds' as margin) m`,
);

/** Locks the endpoints that `from` names, in the order in which every statement does. */
export const lockedEndpoints = (from: string) => `
  locked as (
    select e.id from endpoints e where (e.tenant_id, e.id) in (select tenant_id, endpoint_id from ${from})
    order by e.tenant_id, e.id for no key update of e
  )`;

/**
 * Returns leases to the queue: locks the endpoints, frees their slots, and makes the deliveries claimable.
 * A delivery whose lease was ended or replaced meanwhile stays as it is. `lost` has place, tenant_id,
 * endpoint_id, id and lease.
 */
const releaseLeases = (lost: string) => `
  with lost as (${lost}),
  ${lockedEndpoints('lost')}, released as (
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

/** Given back without an attempt. */
export const releaseLease = statement<{ tenantId: string; endpointId: string; id: string; lease: string }>(
  'release_lease',
  releaseLeases(
    `select ctid as place, tenant_id, endpoint_id, id, lease from waiting
     where tenant_id = $tenantId and endpoint_id = $endpointId and id = $id and lease = $lease`,
  ),
);

/** Releases expired leases, and `leases` of statements with a lost answer. `floor` is that of the index. */
export const releaseLostLeases = statement<{ floor: string; leases: readonly string[] }, { id: string }>(
  'release_lost_leases',
  releaseLeases(
    `select ctid as place, tenant_id, endpoint_id, id, lease from waiting
     where lease_until >= $floor::timestamptz and lease_until < now()
     union
     select ctid, tenant_id, endpoint_id, id, lease from waiting
     where cardinality($leases::uuid[]) > 0 and lease_until >= $floor::timestamptz and lease = any($leases)`,
  ),
);

/** One step of at most so many rows. Null if no removed endpoint has a waiting delivery. */
export const cancelRemoved = statement<{ rows: number }, { cancelled: number | null }>(
  'cancel_removed',
  'select cancel_removed($rows) as cancelled',
);

/** Bytes of a body, counted from 1. The table keeps bodies uncompressed, so only these are read. */
export const readBody = statement<
  { tenantId: string; id: string; from: number; size: number },
  { piece: Buffer }
>(
  'read_message_body',
  `select substring(body from $from::integer for $size::integer) as piece from messages
   where tenant_id = $tenantId and id = $id`,
);
