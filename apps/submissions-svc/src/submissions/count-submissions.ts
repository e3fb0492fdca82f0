import { collectionStatuses, type CollectionStatus } from '@canvass/contracts';
import { notFound, validationProblem } from '@canvass/errors';
import { readBounded, sqlState, type Database } from '@canvass/postgres';
import { countByDay, maxDays, type StatsRow } from './stats.sql';
import { timeZoneFault, type StatsQuery } from './stats-query';

export type StatusCounts = Record<CollectionStatus, number>;

/** Submissions of one day. */
export interface DayStats {
  /** `YYYY-MM-DD` in the time zone. */
  date: string;
  total: number;
  byStatus: StatusCounts;
}

/** Submissions of a form that were created within a range. */
export interface SubmissionStats {
  formId: string;
  from: string;
  to: string;
  timeZone: string;
  total: number;
  byStatus: StatusCounts;
  /** Every day of the range, in order. */
  byDay: DayStats[];
}

/**
 * Counts the submissions of a form by collection status and by day of creation in a time zone.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for an empty or too long range and for a
 * time zone that Postgres does not know, `query_too_broad` after 5 s
 */
export async function countSubmissionsByDay(
  db: Database,
  tenantId: string,
  formId: string,
  { from, to, timeZone }: StatsQuery,
): Promise<SubmissionStats> {
  const params = { tenantId, formId, from: from ?? null, to: to ?? null, timeZone };
  const advice = 'Choose a shorter range with from and to.';
  const counted = readBounded(db, advice, (tx) => tx.query(countByDay(params)));
  const rows = await counted.catch((error: unknown) => {
    // Node and Postgres have their own lists of time zones.
    throw sqlState(error) === invalidParameter ? validationProblem({ timeZone: [timeZoneFault] }) : error;
  });
  const [first] = rows;
  if (!first) throw notFound('form', formId);
  const byDay = rows.flatMap((row) => (row.date === null ? [] : [dayOf(row.date, row)]));
  if (byDay.length === 0)
    throw validationProblem({ from: [`must be before \`to\`, and at most ${maxDays} days before it`] });
  const byStatus = statusCounts((status) => sum(byDay.map((day) => day.byStatus[status])));
  return {
    formId,
    from: first.from,
    to: first.to,
    timeZone,
    total: sum(Object.values(byStatus)),
    byStatus,
    byDay,
  };
}

/** SQLSTATE `invalid_parameter_value`. */
const invalidParameter = '22023';

function dayOf(date: string, row: StatsRow): DayStats {
  const byStatus = statusCounts((status) => row[status]);
  return { date, total: sum(Object.values(byStatus)), byStatus };
}

const statusCounts = (countOf: (status: CollectionStatus) => number): StatusCounts =>
  Object.fromEntries(collectionStatuses.map((status) => [status, countOf(status)])) as StatusCounts;

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
