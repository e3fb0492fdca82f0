import { collectionStatuses, type CollectionStatus } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import { partsOf, quartersOf } from '../counts';
import { filterFields } from './filter-fields';

/** A day of the range with its counts. */
export type StatsRow = {
  /** The range with its defaults, as in the API. */
  from: string;
  to: string;
  /** `YYYY-MM-DD` in the time zone; null in the only row of a range that is not allowed. */
  date: string | null;
  /** Submissions of the range that were read one by one. */
  read: number;
} & Record<CollectionStatus, number>;

/** Longest range, in days of the time zone. */
export const mostDays = 366;

/** Days of the default range. */
export const defaultDays = 30;

const createdAt = filterFields['createdAt']!.column;
const timeOf = (instant: string) => `(${instant} at time zone $timeZone)`;
const firstDay = `date_trunc('day', ${timeOf('p.since')})`;
const lastDay = `date_trunc('day', ${timeOf(`(p.until - interval '1 microsecond')`)})`;

interface StatsParams {
  tenantId: string;
  formId: string;
  from: Date | null;
  to: Date | null;
  timeZone: string;
}

const byDay = (name: string, hasQuarters: boolean) =>
  statement<StatsParams, StatsRow>(
    name,
    `with period as materialized (
       select f.tenant_id, f.id as form_id, b.since, e.until,
         b.since < e.until and ${timeOf('e.until')} - ${timeOf('b.since')} <= interval '${mostDays} days' as is_allowed
       from forms f
       cross join lateral (select coalesce($to::timestamptz,
         (date_trunc('day', ${timeOf('now()')}) + interval '1 day') at time zone $timeZone) as until) e
       cross join lateral (select coalesce($from::timestamptz,
         (date_trunc('day', ${timeOf(`(e.until - interval '1 microsecond')`)}) - interval '${defaultDays - 1} days')
           at time zone $timeZone) as since) b
       where f.tenant_id = $tenantId and f.id = $formId and f.deleted_at is null
     ), parts as materialized (
       select p.*, parts.first, parts.next from period p
       cross join lateral ${
         hasQuarters ? partsOf('p', 'p.since', 'p.until') : '(select p.since as first, p.since as next)'
       } parts
       where p.is_allowed
     ), read as materialized (
       select ${timeOf('s.created_at')}::date as day, s.collection_status as counted, count(*) as n
       from parts p cross join lateral (values (p.since, p.first), (p.next, p.until)) part (since, until)
       join submissions s on s.tenant_id = $tenantId and s.form_id = $formId and s.deleted_at is null
         and ${createdAt} >= part.since at time zone 'UTC' and ${createdAt} < part.until at time zone 'UTC'
       where part.since < part.until
       group by 1, 2
     ), counted as (
       select day, ${collectionStatuses
         .map((status) => `coalesce(sum(n) filter (where counted = '${status}'), 0)::integer as ${status}`)
         .join(', ')}
       from (
         select * from read${
           hasQuarters
             ? `
         union all
         select ${timeOf('q.starts_at')}::date, q.counted, q.n
         from parts p cross join lateral ${quartersOf('p', 'p.first', 'p.next')} q`
             : ''
         }
       ) c group by day
     )
     select api_time(p.since) as "from", api_time(p.until) as "to", to_char(d.day, 'YYYY-MM-DD') as date,
       (select coalesce(sum(n), 0) from read)::integer as read,
       ${collectionStatuses.map((status) => `coalesce(c.${status}, 0) as ${status}`).join(', ')}
     from period p
     left join lateral (
       select generate_series(${firstDay}, ${lastDay}, interval '1 day')::date as day where p.is_allowed
     ) d on true
     left join counted c on c.day = d.day
     order by d.day`,
  );

/**
 * Submissions by day of creation in the time zone and by collection status. `from` is inclusive, `to`
 * exclusive; null means the default. Returns no row if there is no such form. Counts nothing if the range
 * is empty or too long. Quarters of an hour are read where they are counted, submissions by the index of
 * times of creation elsewhere. Time zones differ from UTC by whole quarters.
 */
export const countByDay = byDay('submissions_count_by_day', true);

/** The same from submissions alone, for a schema of the version before. */
export const countByDayWithoutQuarters = byDay('submissions_count_by_day_alone', false);
