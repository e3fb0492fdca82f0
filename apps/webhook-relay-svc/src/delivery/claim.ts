import { randomUUID } from 'node:crypto';
import type { SecretBox } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { apiKeyContext, signingSecretContext } from '../endpoints';
import { claimByIds, claimDue, deleteLostLeases, waitingSince, type ClaimedRow } from './claim.sql';
import type { Turns } from './turns';

/** A message as it goes out. */
export interface OutgoingMessage {
  id: string;
  eventName: string;
  entity: string;
  action: string;
  body: Buffer;
  traceparent: string | null;
}

/** Where a delivery goes and with which credentials, in clear, as the settings are at this moment. */
export interface Target {
  url: string;
  apiKey: { header: string; value: string } | null;
  /** Newest first; more than one while a secret rotates. */
  signingSecrets: string[];
}

/** A delivery that this process, and no other, may send until its lease ends. */
export interface Claimed {
  id: string;
  tenantId: string;
  endpointId: string;
  /** Of the lease. */
  token: string;
  /** Attempts before this one. */
  attempts: number;
  /** Failures since it was made or resent. */
  scheduleStep: number;
  /** Its endpoint failed lately. */
  isAiling: boolean;
  /** Seconds since 1970 by the database's clock. */
  claimedAt: number;
  /** Its turn by `performance.now()`, where its endpoint has a rate limit. */
  sendAt: number | null;
  message: OutgoingMessage;
  /**
   * `removed`: the endpoint is no longer in the settings. `unreadable`: no configured key opens its secrets.
   */
  target: Target | 'removed' | 'unreadable';
}

interface LeaseTerms {
  token: string;
  seconds: number;
  /** Lead and horizon of the turns of limited endpoints. */
  turns: [number, number];
}

export interface Claims {
  /**
   * Of these deliveries those that are waiting, not in flight, and whose endpoint is enabled and has a slot
   * free.
   */
  byIds(ids: readonly string[]): Promise<Claimed[]>;
  /** At most `limit` due deliveries, one of each endpoint before the second of any. */
  due(limit: number): Promise<Claimed[]>;
  /** What another statement leases, which is given what it leases with. */
  by(lease: (terms: LeaseTerms) => Promise<ClaimedRow[]>): Promise<Claimed[]>;
  /** Ends the leases that ran out and those of claims whose answer was lost; gives their number. */
  freeLost(): Promise<number>;
}

/** What became visible late, with a due time before the known one, waits for this at the longest. */
const renewSinceMs = 10_000;
/** In a long outage nothing was leased by most of them. */
const rememberAtMost = 1_000;

/** Claims by lease. `leaseSeconds` must outlast the longest attempt. */
export function createClaims(db: Database, box: SecretBox, leaseSeconds: number, turns: Turns): Claims {
  /**
   * Tokens of statements that may have been committed although their answer never came: nobody sends what
   * they leased.
   */
  const lost = new Set<string>();
  let since = { time: '-infinity', readAt: -Infinity };

  async function by(lease: (terms: LeaseTerms) => Promise<ClaimedRow[]>): Promise<Claimed[]> {
    const token = randomUUID();
    try {
      const rows = await lease({ token, seconds: leaseSeconds, turns: turns.parameters() });
      if (rows.length > 0) turns.hear(rows.at(-1)!.claimed_at);
      return rows.map((row) => ({
        ...claimedOf(row, token, box),
        sendAt: row.send_at === null ? null : turns.localTime(row.send_at),
      }));
    } catch (error) {
      if (lost.size < rememberAtMost) lost.add(token);
      throw error;
    }
  }

  return {
    by,
    byIds: (ids) => by((terms) => db.query(claimByIds, [terms.token, terms.seconds, ids, ...terms.turns])),
    async due(limit) {
      if (performance.now() - since.readAt > renewSinceMs) {
        const [row] = await db.query<{ since: string }>(waitingSince);
        since = { time: row!.since, readAt: performance.now() };
      }
      const { time } = since;
      return by((terms) => db.query(claimDue, [terms.token, terms.seconds, limit, time, ...terms.turns]));
    },
    async freeLost() {
      const tokens = [...lost];
      const freed = await db.query(deleteLostLeases, [tokens]);
      for (const token of tokens) lost.delete(token);
      return freed.length;
    },
  };
}

function claimedOf(row: ClaimedRow, token: string, box: SecretBox): Omit<Claimed, 'sendAt'> {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    token,
    attempts: row.attempts,
    scheduleStep: row.schedule_step,
    isAiling: row.is_ailing,
    claimedAt: Math.floor(row.claimed_at),
    message: {
      id: row.message_id,
      eventName: row.event_name,
      entity: row.entity,
      action: row.action,
      body: row.body,
      traceparent: row.traceparent,
    },
    target: row.url === null ? 'removed' : targetOf(row, row.url, box),
  };
}

function targetOf(row: ClaimedRow, url: string, box: SecretBox): Target | 'unreadable' {
  const place = { tenantId: row.tenant_id, endpointId: row.endpoint_id };
  try {
    const apiKey =
      row.auth_header === null || row.api_key_sealed === null
        ? null
        : { header: row.auth_header, value: box.open(row.api_key_sealed, apiKeyContext(place)) };
    const signingSecrets = row.secrets.map((sealed) => box.open(sealed, signingSecretContext(place)));
    return { url, apiKey, signingSecrets };
  } catch {
    return 'unreadable'; // the box's own words name the key id; the outcome in the log says enough
  }
}
