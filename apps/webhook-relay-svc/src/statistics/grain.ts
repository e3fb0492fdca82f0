import { validationProblem } from '@canvass/errors';
import { periodOf, type Period, type PeriodQuery } from '@canvass/service-kit';
import { keptDays } from './kept-days';

/** A period and the statistics that have its buckets. */
export type KeptPeriod = Period & { grain: '1m' | '1h' | '1d' };

/** @throws {Problem} `validation_failed` also if statistics of such buckets are no longer kept */
export function keptPeriodOf(query: PeriodQuery, minuteDays: number): KeptPeriod {
  const period = periodOf(query);
  const days = keptDays(minuteDays);
  const grain = period.bucket === '5m' ? '1m' : period.bucket;
  const kept = { '1m': days.minuteDays, '1h': days.hourDays, '1d': days.dayDays }[grain];
  if (period.from.getTime() < Date.now() - kept * 86_400_000 - period.seconds * 1000)
    throw validationProblem({
      bucket: [`${period.bucket} is kept for ${kept} days only; choose a longer bucket or a later from`],
    });
  return { ...period, grain };
}
