import { statement } from '@canvass/postgres';
import { filterFields } from '../filters';

/** Submissions of one bucket. */
export interface OverviewCounts {
  started: number;
  completed: number;
  screenedOut: number;
}

const within = (field: string) => {
  const { column } = filterFields[field]!;
  return `s.tenant_id = $tenantId and s.form_id = f.id and s.deleted_at is null
       and ${column} >= $from::timestamptz at time zone 'UTC' and ${column} < $to::timestamptz at time zone 'UTC'`;
};
const startOf = (field: string) =>
  `date_bin($seconds::float8 * interval '1 second', ${filterFields[field]!.column}, $from::timestamptz at time zone 'UTC')`;

/**
 * Submissions of all forms of a tenant by bucket; buckets without any have no row. Each form is read by its
 * indexes of creations and completions, within the range only.
 */
export const countByBucket = statement<
  { tenantId: string; from: Date; to: Date; seconds: number },
  { start: Date } & OverviewCounts
>(
  'submissions_overview',
  `with counted as (
     select c.* from forms f cross join lateral (
       select ${startOf('createdAt')} as start, count(*) as started, 0 as completed,
              count(*) filter (where s.collection_status = 'screen_out') as screened_out
       from submissions s where ${within('createdAt')} group by 1
       union all
       select ${startOf('completedAt')}, 0, count(*), 0
       from submissions s where ${within('completedAt')} and ${filterFields['completedAt']!.column} is not null group by 1
     ) c
     where f.tenant_id = $tenantId and f.deleted_at is null
   )
   select start at time zone 'UTC' as start, sum(started)::integer as started, sum(completed)::integer as completed,
     sum(screened_out)::integer as "screenedOut"
   from counted group by start`,
);
