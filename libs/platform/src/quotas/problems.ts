import { Problem } from '@canvass/errors';

export interface Excess {
  quota: string;
  limit: number;
  /** Use without what was refused. Null: the caller must not learn limit and use of the tenant. */
  used: number | null;
}

const dayMs = 86_400_000;

/** Seconds until the next midnight in UTC, when the uses per day start at 0. */
const secondsToMidnight = (now = Date.now()): number => Math.ceil((dayMs - (now % dayMs)) / 1000);

const extraOf = ({ quota, limit, used }: Excess) => (used === null ? { quota } : { quota, limit, used });

/** A 403: the tenant has as much as it may have. */
export const quotaExceeded = (excess: Excess): Problem =>
  new Problem('quota_exceeded', {
    detail: `The tenant has reached its quota "${excess.quota}"${excess.used === null ? '' : `: ${excess.used} of ${excess.limit} are used`}.`,
    extra: extraOf(excess),
  });

/** A 429 until the next day in UTC. */
export const dailyQuotaExceeded = (excess: Excess): Problem => {
  const seconds = secondsToMidnight();
  return new Problem('daily_quota_exceeded', {
    detail: `The quota "${excess.quota}" of this day (UTC) is used up. Try again in ${seconds} s.`,
    extra: extraOf(excess),
    headers: { 'Retry-After': String(seconds) },
  });
};
