import { isAccepted } from './deliveries';
import type { Evidence, Findings, Interruptions } from './verdict';

/**
 * How long the deliveries of killed senders waited until somebody else sent them. Of those leased at a kill the killed
 * process had the ones whose next attempt began after the lease was over, or never: what was recorded under the lease was
 * its own last result or its twin's.
 */
export function measureInterruptions(
  { stored, longestResendMs }: Pick<Evidence, 'stored' | 'longestResendMs'>,
  findings: Pick<Findings, 'late'>,
): Interruptions {
  const waits: number[] = [];
  const kills = new Set<number>();
  for (const { deliveryId, killedAt, leaseUntil, attemptedAt, status } of stored.leased) {
    if (attemptedAt !== null && attemptedAt < leaseUntil) continue;
    kills.add(killedAt);
    if (attemptedAt === null) {
      // Its endpoint was taken out of the settings meanwhile.
      if (status !== 'cancelled')
        findings.late.push(`delivery ${deliveryId} of a killed sender was not sent again (${status})`);
      continue;
    }
    const waitMs = Math.round(attemptedAt - killedAt);
    waits.push(waitMs);
    if (longestResendMs !== null && waitMs > longestResendMs)
      findings.late.push(`delivery ${deliveryId} of a killed sender was sent again only after ${waitMs} ms`);
  }
  return {
    kills: kills.size,
    deliveries: waits.length,
    longestMs: waits.length === 0 ? null : Math.max(...waits),
  };
}

/** What somebody was promised to be sent again was. */
export function compareResends({ resends, hooks, stored }: Evidence, findings: Findings): void {
  const lastAccepted = new Map<string, number>();
  for (const hook of hooks.filter(isAccepted))
    lastAccepted.set(hook.hookId, Math.max(hook.at, lastAccepted.get(hook.hookId) ?? 0));
  for (const { hookId, endpointId, sentAt, outcome } of resends) {
    if (outcome !== 'acknowledged' || (lastAccepted.get(hookId) ?? 0) >= sentAt) continue;
    const status = stored.deliveries.get(`${hookId} ${endpointId}`) ?? 'nothing';
    if (status !== 'cancelled')
      findings.lost.push(`hook ${hookId} was to be sent again, and was not (the relay says: ${status})`);
  }
}
