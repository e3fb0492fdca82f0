import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createTurns } from '@canvass/async';
import type { SecretBox } from '@canvass/auth';
import type { WebhookFormat, WebhookPayload } from '@canvass/contracts';
import type { BoundStatement, Database } from '@canvass/postgres';
import { credentialsContext, noCredentials, signingSecretContext, type Credentials } from '../endpoints';
import {
  claimByIds,
  claimDue,
  findFloors,
  releaseLostLeases,
  type FloorsRow,
  type LeasedRow,
  type LeaseParams,
  type TargetRow,
} from './claim.sql';
import type { SendSlots } from './send-slots';

/** One delivery that any relay may start. */
export interface Job {
  tenantId: string;
  endpointId: string;
  deliveryId: string;
}

/** The place where a delivery goes and its credentials in clear text, by the settings of this moment. */
export interface Target extends Credentials {
  url: string;
  payload: WebhookPayload;
  format: WebhookFormat;
  /** Newest first; more than one while a secret rotates. */
  signingSecrets: string[];
}

/** A delivery that only this process may send, until its lease ends. */
export interface Claimed extends Omit<LeasedRow, keyof TargetRow> {
  lease: string;
  /** The time when the lease ends, at the earliest, by `performance.now()`. */
  leaseEndsAt: number;
  /** The send slot by `performance.now()`, if its endpoint has a rate limit. */
  sendAt: number | null;
  isDegraded: boolean;
  /** Claimed from the queue: more deliveries of its endpoint may wait for its slot. */
  isFromQueue: boolean;
  /**
   * `removed`: the settings do not send its event there any more. `unreadable`: no configured key opens its
   * secrets.
   */
  target: Target | 'removed' | 'unreadable';
}

/** What a request says of its message, and whose token it has. */
export type SentMessage = Pick<
  Claimed,
  | 'tenantId'
  | 'endpointId'
  | 'messageId'
  | 'eventName'
  | 'entity'
  | 'action'
  | 'claimedAt'
  | 'occurredAt'
  | 'traceparent'
>;

/** The amount that one statement may lease. It ends with `accept` or `abandon`. */
export interface Reservation {
  params: LeaseParams;
  /** Time by `performance.now()`, before the statement: the lease lasts at least its seconds from here. */
  startedAt: number;
  /** Gives the turn to the next statement. */
  finish(): void;
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

/** The deliveries that this process may send. */
export type Leases = ReturnType<typeof createLeases>;

const floorsForMs = 10_000;
/** A limit, since in a long outage most of the statements leased nothing. */
const maxLost = 1_000;
const maxOpenedSecrets = 10_000;
const maxTimerMs = 2 ** 31 - 1;

export function createLeases({ db, box, slots, seconds, maxInFlight }: LeasesOptions) {
  const inFlight = new Set<Claimed>();
  const waitingForSlot = new Set<Claimed>();
  const lost = new Set<string>();
  const targetOf = createTargets(box);
  const turns = createTurns({ max: 1, maxWaitMs: maxTimerMs });
  let closed = false;
  let cursor = '0';
  let floors: FloorsRow | undefined;
  let floorsReadAt = -Infinity;

  const active = () => inFlight.size - waitingForSlot.size;
  const room = () => (closed ? 0 : Math.max(0, maxInFlight - active()));

  /** One statement leases at a time in a process: two would compete for slots and exceed its room. */
  async function reserve(): Promise<Reservation> {
    const finish = await turns.take(undefined);
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
    return { params, startedAt: performance.now(), finish };
  }

  /** The deliveries that a statement has leased under the reservation; they are in flight until `end`. */
  function accept(
    { params, startedAt, finish }: Reservation,
    rows: readonly LeasedRow[],
    isFromQueue: boolean,
  ): Claimed[] {
    if (rows.length > 0) slots.observeClock(rows.at(-1)!.claimedAt);
    const claimed = rows.map(({ url, payload, format, credentialsSealed, secrets, ...row }): Claimed => ({
      isFromQueue,
      lease: params.lease,
      leaseEndsAt: startedAt + seconds * 1000,
      target:
        url === null ? 'removed' : targetOf({ url, payload, format, credentialsSealed, secrets, ...row }),
      ...row,
      claimedAt: Math.floor(row.claimedAt),
      sendAt: row.sendAt === null ? null : slots.localTime(row.sendAt),
    }));
    for (const delivery of claimed) inFlight.add(delivery);
    finish();
    return claimed;
  }

  /** The statement failed; it may have been committed although its answer was lost. */
  function abandon({ params, finish }: Reservation): void {
    if (lost.size < maxLost) lost.add(params.lease);
    finish();
  }

  async function claim(statement: (params: LeaseParams) => BoundStatement<LeasedRow>): Promise<Claimed[]> {
    const reservation = await reserve();
    const { params } = reservation;
    try {
      return accept(reservation, params.room === 0 ? [] : await db.query(statement(params)), true);
    } catch (error) {
      abandon(reservation);
      throw error;
    }
  }

  async function currentFloors(): Promise<FloorsRow> {
    if (performance.now() - floorsReadAt > floorsForMs) {
      [floors] = await db.query(findFloors());
      floorsReadAt = performance.now();
    }
    return floors!;
  }

  return {
    reserve,
    accept,
    abandon,
    /** Leases due deliveries, tenants and endpoints in turns. */
    async due(): Promise<Claimed[]> {
      const { ready, scheduled } = await currentFloors();
      const claimed = await claim((params) => claimDue({ cursor, ready, scheduled, ...params }));
      cursor = lastTenant(claimed, cursor);
      return claimed;
    },
    /** Leases those of these that may start now; the others become due. A job may be repeated. */
    byIds(jobs: readonly Job[]): Promise<Claimed[]> {
      // The statement would take a slot of the endpoint for each repetition.
      const different = [...new Map(jobs.map((job) => [job.deliveryId, job])).values()];
      return claim(({ lease, seconds, room, leadSeconds }) =>
        claimByIds({
          lease,
          seconds,
          room,
          leadSeconds,
          tenantIds: different.map(({ tenantId }) => tenantId),
          endpointIds: different.map(({ endpointId }) => endpointId),
          ids: different.map(({ deliveryId }) => deliveryId),
        }),
      );
    },
    end(delivery: Claimed): void {
      inFlight.delete(delivery);
      waitingForSlot.delete(delivery);
    },
    /** While it waits for its send slot, a delivery takes no room from others. */
    setWaitingForSlot(delivery: Claimed, isWaiting: boolean): void {
      if (isWaiting) waitingForSlot.add(delivery);
      else waitingForSlot.delete(delivery);
    },
    /** Releases expired leases and those of statements whose answer was lost. Resolves with their number. */
    async releaseLost(): Promise<number> {
      const leases = [...lost];
      const { leased } = await currentFloors();
      const released = await db.query(releaseLostLeases({ floor: leased, leases }));
      for (const lease of leases) lost.delete(lease);
      return released.length;
    },
    inFlight: active,
    hasRoom: () => room() > 0,
    /** Leases nothing more. Resolves when no statement is under way. */
    async close(): Promise<void> {
      closed = true;
      (await turns.take(undefined))();
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

type Sealed = Omit<TargetRow, 'isDegraded' | 'url'> & { url: string; tenantId: string; endpointId: string };

/** Opens sealed credentials, each once: a sealed text never changes its meaning. */
function createTargets(box: SecretBox): (row: Sealed) => Target | 'unreadable' {
  const opened = new LRUCache<string, string>({ max: maxOpenedSecrets });
  const open = (sealed: string, context: string) => {
    const key = `${context}\n${sealed}`;
    const clear = opened.get(key) ?? box.open(sealed, context);
    opened.set(key, clear);
    return clear;
  };
  return ({ tenantId, endpointId, url, payload, format, credentialsSealed, secrets }) => {
    const place = { tenantId, endpointId };
    try {
      const credentials =
        credentialsSealed === null
          ? noCredentials
          : (JSON.parse(open(credentialsSealed, credentialsContext(place))) as Credentials);
      const signingSecrets = (secrets ?? []).map((sealed) => open(sealed, signingSecretContext(place)));
      return { url, payload, format, ...credentials, signingSecrets };
    } catch {
      return 'unreadable'; // the error of the box names the key; the outcome in the log is enough
    }
  };
}
