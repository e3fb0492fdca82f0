import { validationProblem } from '@canvass/errors';
import { periodOf, type Period, type PeriodQuery } from '@canvass/service-kit';
import { keptDays } from './kept-days';

/**
 * Works as `periodOf`.
 *
 * @throws {Problem} `validation_failed` also if statistics of such buckets are no longer kept
 */
export function keptPeriodOf(query: PeriodQuery, minuteDays: number): Period {
  const period = periodOf(query);
  const days = keptDays(minuteDays);
  const kept = { '1m': days.minuteDays, '5m': days.minuteDays, '1h': days.hourDays, '1d': days.dayDays };
  const maxDays = kept[period.bucket];
  if (period.from.getTime() < Date.now() - maxDays * 86_400_000 - period.seconds * 1000)
    throw validationProblem({
      bucket: [
        `must be longer: ${period.bucket} is kept for ${maxDays} days only; choose a longer bucket or a later from`,
      ],
    });
  return period;
}
