import { isAccepted } from './deliveries';
import type { FaultRecord } from '../records';
import type { Evidence, Findings } from './evidence';

/** Deliveries in flight in relays that were killed. */
export interface Interruptions {
  kills: number;
  deliveries: number;
  /** From the kill to the next attempt, without the time in which Postgres was away; null without any. */
  maxMs: number | null;
}

/** Faults during which no relay can lease a delivery. */
const postgresAway = ['postgres-restart', 'read-only'];

/**
 * Measures how long the deliveries of killed relays waited until another relay sent them. Of the deliveries
 * leased at a kill, the killed relay had those whose next attempt began after the lease expired, or never.
 * Attempts recorded under the lease are the relay's own last result or another relay's. The time in which
 * Postgres was away does not count.
 */
export function measureInterruptions(
  { stored, faults, maxResendMs }: Pick<Evidence, 'stored' | 'faults' | 'maxResendMs'>,
  findings: Findings,
): Interruptions {
  const waits: number[] = [];
  const outages = faults.filter(({ kind }) => postgresAway.includes(kind));
  const kills = new Set<number>();
  for (const { deliveryId, killedAt, leaseUntil, attemptedAt, status } of stored.leased) {
    if (attemptedAt !== null && attemptedAt < leaseUntil) continue;
    kills.add(killedAt);
    const delivery = `delivery ${deliveryId} of a killed relay`;
    if (attemptedAt === null) {
      // Cancelled: later settings did not name its endpoint.
      if (status !== 'cancelled') findings.late.push(`${delivery} was not sent again (${status})`);
      continue;
    }
    const waitMs = Math.round(attemptedAt - killedAt - durationOf(outages, killedAt, attemptedAt));
    waits.push(waitMs);
    if (maxResendMs !== null && waitMs > maxResendMs)
      findings.late.push(`${delivery} was sent again only after ${waitMs} ms`);
  }
  const maxMs = waits.length === 0 ? null : Math.max(...waits);
  return { kills: kills.size, deliveries: waits.length, maxMs };
}

/** How long any of the faults was present between two times. Milliseconds. */
function durationOf(faults: readonly FaultRecord[], from: number, to: number): number {
  let [total, end] = [0, from];
  for (const { startedAt, backAt } of [...faults].sort((a, b) => a.startedAt - b.startedAt)) {
    const until = Math.min(backAt ?? to, to);
    total += Math.max(0, until - Math.max(startedAt, end));
    end = Math.max(end, until);
  }
  return total;
}

/** Every delivery that staff requested again was accepted after the request. */
export function compareResends({ resends, hooks, stored }: Evidence, findings: Findings): void {
  const lastAccepted = new Map<string, number>();
  for (const { id, at } of hooks.filter(isAccepted))
    lastAccepted.set(id, Math.max(at, lastAccepted.get(id) ?? 0));
  for (const { hookId, endpointId, sentAt, outcome } of resends) {
    if (outcome !== 'acknowledged' || (lastAccepted.get(hookId) ?? 0) >= sentAt) continue;
    const status = stored.deliveries.get(`${hookId} ${endpointId}`) ?? 'nothing';
    if (status !== 'cancelled')
      findings.lost.push(`hook ${hookId} was requested again, and was not sent (the relay says: ${status})`);
  }
}

/** A result is recorded and its lease returned within this time after the delivery; a fault then causes a duplicate. */
const nearMs = 3_000;

/** Counts deliveries that an endpoint had accepted before, by the faults that were near the first delivery. */
export function explainDuplicates({ hooks, faults, resends }: Evidence): Record<string, number> {
  const acceptedAt = new Map<string, number>();
  const byCause: Record<string, number> = {};
  const resent = new Set(resends.filter(({ outcome }) => outcome !== 'refused').map(({ hookId }) => hookId));
  for (const { id, path, at } of hooks.filter(isAccepted)) {
    const before = acceptedAt.get(`${id} ${path}`);
    acceptedAt.set(`${id} ${path}`, at);
    if (before === undefined) continue;
    const near = faults.filter(
      ({ startedAt, backAt }) => startedAt <= before + nearMs && (backAt ?? startedAt) >= before - nearMs,
    );
    const kinds = near.map(({ kind }) => kind).sort();
    const cause = resent.has(id) ? 'resent on request' : kinds.join(' + ') || 'no fault near';
    byCause[cause] = (byCause[cause] ?? 0) + 1;
  }
  return byCause;
}
