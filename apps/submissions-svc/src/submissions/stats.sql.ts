import { collectionStatuses, type CollectionStatus } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { filterFields } from '../filters';

/** A day of the range with its counts. */
export type StatsRow = {
  /** The range with its defaults, as in the API. */
  from: string;
  to: string;
  /** `YYYY-MM-DD` in the time zone; null in the only row of a range that is not allowed. */
  date: string | null;
} & Record<CollectionStatus, number>;

/** Longest range, in days of the time zone. */
export const maxDays = 366;

/** Days of the default range. */
export const defaultDays = 30;

const createdAt = filterFields['createdAt']!.column;
const timeOf = (instant: string) => `(${instant} at time zone $timeZone)`;
const firstDay = `date_trunc('day', ${timeOf('p.since')})`;
const lastDay = `date_trunc('day', ${timeOf(`(p.until - interval '1 microsecond')`)})`;

/**
 * Submissions by day of creation in the time zone and by collection status. `from` is inclusive, `to`
 * exclusive; null means the default. Returns no row if there is no such form. Counts nothing if the range is
 * empty or too long. The index of times of creation limits what is read.
 */
export const countByDay = statement<
  { tenantId: string; formId: string; from: Date | null; to: Date | null; timeZone: string },
  StatsRow
>(
  'submissions_count_by_day',
  `with period as (
     select f.id as form_id, b.since, e.until,
       b.since < e.until and ${timeOf('e.until')} - ${timeOf('b.since')} <= interval '${maxDays} days' as is_allowed
     from forms f
     cross join lateral (select coalesce($to::timestamptz,
       (date_trunc('day', ${timeOf('now()')}) + interval '1 day') at time zone $timeZone) as until) e
     cross join lateral (select coalesce($from::timestamptz,
       (date_trunc('day', ${timeOf(`(e.until - interval '1 microsecond')`)}) - interval '${defaultDays - 1} days')
         at time zone $timeZone) as since) b
     where f.tenant_id = $tenantId and f.id = $formId and f.deleted_at is null
   ), counted as (
     select ${timeOf('s.created_at')}::date as day, ${collectionStatuses
       .map((status) => `count(*) filter (where s.collection_status = '${status}')::integer as ${status}`)
       .join(', ')}
     from period p join submissions s on s.form_id = p.form_id
     where s.tenant_id = $tenantId and s.form_id = $formId and s.deleted_at is null and p.is_allowed
       and ${createdAt} >= p.since at time zone 'UTC' and ${createdAt} < p.until at time zone 'UTC'
     group by day
   )
   select api_time(p.since) as "from", api_time(p.until) as "to", to_char(d.day, 'YYYY-MM-DD') as date,
     ${collectionStatuses.map((status) => `coalesce(c.${status}, 0) as ${status}`).join(', ')}
   from period p
   left join lateral (
     select generate_series(${firstDay}, ${lastDay}, interval '1 day')::date as day where p.is_allowed
   ) d on true
   left join counted c on c.day = d.day
   order by d.day`,
);
