import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretBox } from '@canvass/auth';
import type { BoundStatement, Database } from '@canvass/postgres';
import { apiKeyContext, signingSecretContext } from '../endpoints';
import {
  claimByIds,
  claimDue,
  findFloors,
  releaseLostLeases,
  type FloorsRow,
  type LeasedRow,
  type LeaseParams,
} from './claim.sql';
import type { SendSlots } from './send-slots';

/** One delivery that any relay may start. */
export interface Job {
  tenantId: string;
  endpointId: string;
  deliveryId: string;
}

/** A message as it is sent. */
export interface OutgoingMessage {
  id: string;
  eventName: string;
  entity: string;
  action: string;
  traceparent: string | null;
  /** Size of the body; null if the message is no longer kept. */
  bytes: number | null;
  /** Null if it is large: it is read when it is sent. */
  body: Buffer | null;
}

/** Where a delivery goes and its credentials in clear text, by the settings of this moment. */
export interface Target {
  url: string;
  apiKey: { header: string; value: string } | null;
  /** Newest first; more than one while a secret rotates. */
  signingSecrets: string[];
}

/** A delivery that only this process may send, until its lease ends. */
export interface Claimed {
  id: string;
  tenantId: string;
  endpointId: string;
  lease: string;
  /** When the lease ends, at the earliest, by `performance.now()`. */
  leaseEndsAt: number;
  /** Attempts before this one. */
  attempts: number;
  /** Failures since it was made or resent. */
  scheduleStep: number;
  /** Its endpoint failed lately. */
  isDegraded: boolean;
  /** Seconds since 1970 by the database's clock. */
  claimedAt: number;
  /** Its send slot by `performance.now()`, if its endpoint has a rate limit. */
  sendAt: number | null;
  message: OutgoingMessage;
  /**
   * `removed`: the settings do not send its event there any more. `unreadable`: no configured key opens its
   * secrets.
   */
  target: Target | 'removed' | 'unreadable';
}

/** What one statement may lease. It ends with `accept` or `abandon`. */
export interface Reservation {
  params: LeaseParams;
  /** By `performance.now()`, before the statement: the lease lasts at least its seconds from here. */
  startedAt: number;
}

export interface LeasesOptions {
  db: Database;
  box: SecretBox;
  slots: SendSlots;
  /** Must exceed the longest attempt. */
  seconds: number;
  /** Most deliveries in flight in this process. One tenant gets at most half of them. */
  maxInFlight: number;
}

export interface Leases {
  /** One statement leases at a time in a process: two would compete for slots and exceed its room. */
  reserve(): Promise<Reservation>;
  /** The deliveries that a statement has leased under the reservation; they are in flight until `end`. */
  accept(reservation: Reservation, rows: readonly LeasedRow[]): Claimed[];
  /** The statement failed; it may have been committed although its answer was lost. */
  abandon(reservation: Reservation): void;
  /** Leases due deliveries, tenants and endpoints in turns. */
  due(): Promise<Claimed[]>;
  /** Leases those of these that may start now; the others become due. */
  byIds(jobs: readonly Job[]): Promise<Claimed[]>;
  end(delivery: Claimed): void;
  /** While it waits for its send slot, a delivery takes no room from others. */
  setWaitingForSlot(delivery: Claimed, isWaiting: boolean): void;
  /** Releases expired leases and those of statements whose answer was lost. Resolves with their number. */
  releaseLost(): Promise<number>;
  inFlight(): number;
  hasRoom(): boolean;
  /** Leases nothing more. Resolves when no statement is under way. */
  close(): Promise<void>;
}

const floorsForMs = 10_000;
/** In a long outage most of the statements leased nothing. */
const maxLost = 1_000;
const maxOpenedSecrets = 10_000;

export function createLeases({ db, box, slots, seconds, maxInFlight }: LeasesOptions): Leases {
  const inFlight = new Set<Claimed>();
  const waitingForSlot = new Set<Claimed>();
  const lost = new Set<string>();
  const targets = createTargets(box);
  let closed = false;
  let cursor = '0';
  let floors: FloorsRow & { readAt: number } = {
    ready: '-infinity',
    scheduled: '-infinity',
    leased: '-infinity',
    readAt: -Infinity,
  };
  let last: Promise<void> = Promise.resolve();
  let finish: () => void = () => undefined;

  const active = () => inFlight.size - waitingForSlot.size;
  const room = () => (closed ? 0 : Math.max(0, maxInFlight - active()));

  async function reserve(): Promise<Reservation> {
    const before = last;
    let release: () => void = () => undefined;
    last = new Promise((resolve) => (release = resolve));
    await before;
    finish = release;
    const used = new Map<string, number>();
    for (const delivery of inFlight)
      if (!waitingForSlot.has(delivery)) used.set(delivery.tenantId, (used.get(delivery.tenantId) ?? 0) + 1);
    const params = {
      lease: randomUUID(),
      seconds,
      leadSeconds: slots.leadSeconds(),
      room: room(),
      share: Math.ceil(maxInFlight / 2),
      tenants: [...used.keys()],
      used: [...used.values()],
    };
    return { params, startedAt: performance.now() };
  }

  function accept({ params: { lease }, startedAt }: Reservation, rows: readonly LeasedRow[]): Claimed[] {
    if (rows.length > 0) slots.observeClock(rows.at(-1)!.claimed_at);
    const claimed = rows.map((row): Claimed => ({
      id: row.id,
      tenantId: row.tenant_id,
      endpointId: row.endpoint_id,
      lease,
      leaseEndsAt: startedAt + seconds * 1000,
      attempts: row.attempts,
      scheduleStep: row.schedule_step,
      isDegraded: row.is_degraded,
      claimedAt: Math.floor(row.claimed_at),
      sendAt: row.send_at === null ? null : slots.localTime(row.send_at),
      message: {
        id: row.message_id,
        eventName: row.event_name,
        entity: row.entity,
        action: row.action,
        traceparent: row.traceparent,
        bytes: row.bytes,
        body: row.body,
      },
      target: row.url === null ? 'removed' : targets.open(row, row.url),
    }));
    for (const delivery of claimed) inFlight.add(delivery);
    finish();
    return claimed;
  }

  function abandon({ params: { lease } }: Reservation): void {
    if (lost.size < maxLost) lost.add(lease);
    finish();
  }

  async function claim(statement: (params: LeaseParams) => BoundStatement<LeasedRow>): Promise<Claimed[]> {
    const reservation = await reserve();
    const { params } = reservation;
    try {
      return accept(reservation, params.room === 0 ? [] : await db.query(statement(params)));
    } catch (error) {
      abandon(reservation);
      throw error;
    }
  }

  async function currentFloors(): Promise<FloorsRow> {
    if (performance.now() - floors.readAt > floorsForMs) {
      const [row] = await db.query(findFloors());
      floors = { ...row!, readAt: performance.now() };
    }
    return floors;
  }

  return {
    reserve,
    accept,
    abandon,
    async due() {
      const { ready, scheduled } = await currentFloors();
      const claimed = await claim((params) => claimDue({ ...params, cursor, ready, scheduled }));
      cursor = lastTenant(claimed, cursor);
      return claimed;
    },
    byIds: (jobs) =>
      claim(({ lease, seconds, room, leadSeconds }) =>
        claimByIds({
          lease,
          seconds,
          room,
          leadSeconds,
          tenantIds: jobs.map(({ tenantId }) => tenantId),
          endpointIds: jobs.map(({ endpointId }) => endpointId),
          ids: jobs.map(({ deliveryId }) => deliveryId),
        }),
      ),
    end(delivery) {
      inFlight.delete(delivery);
      waitingForSlot.delete(delivery);
    },
    setWaitingForSlot(delivery, isWaiting) {
      if (isWaiting) waitingForSlot.add(delivery);
      else waitingForSlot.delete(delivery);
    },
    async releaseLost() {
      const leases = [...lost];
      const { leased } = await currentFloors();
      const released = await db.query(releaseLostLeases({ floor: leased, leases }));
      for (const lease of leases) lost.delete(lease);
      return released.length;
    },
    inFlight: active,
    hasRoom: () => room() > 0,
    async close() {
      closed = true;
      await last;
    },
  };
}

/**
 * The tenant at which the walk that started after `cursor` ended; ids before the cursor come after its
 * wrap.
 */
function lastTenant(claimed: readonly Claimed[], cursor: string): string {
  const tenants = claimed.map(({ tenantId }) => BigInt(tenantId)).sort((a, b) => (a < b ? -1 : 1));
  const wrapped = tenants.filter((tenant) => tenant <= BigInt(cursor));
  return String((wrapped.length > 0 ? wrapped : tenants).at(-1) ?? cursor);
}

/** Opens sealed credentials, each once: a sealed text never changes its meaning. */
function createTargets(box: SecretBox) {
  const opened = new LRUCache<string, string>({ max: maxOpenedSecrets });
  const open = (sealed: string, context: string) => {
    const key = `${context}\n${sealed}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const clear = box.open(sealed, context);
    opened.set(key, clear);
    return clear;
  };
  return {
    open(row: LeasedRow, url: string): Target | 'unreadable' {
      const place = { tenantId: row.tenant_id, endpointId: row.endpoint_id };
      try {
        const apiKey =
          row.auth_header === null || row.api_key_sealed === null
            ? null
            : { header: row.auth_header, value: open(row.api_key_sealed, apiKeyContext(place)) };
        const signingSecrets = (row.secrets ?? []).map((sealed) => open(sealed, signingSecretContext(place)));
        return { url, apiKey, signingSecrets };
      } catch {
        return 'unreadable'; // the error of the box names the key; the outcome in the log is enough
      }
    },
  };
}
