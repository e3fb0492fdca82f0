import { statement } from '@canvass/postgres';
import { key, tally } from './cells.sql';

const into = (grain: string, length: string) => {
  const start = `date_bin('${length}', starts_at, '2026-01-01T00:00:00Z')`;
  return `select ${key}, '${grain}' as grain, ${start} as starts_at, cell, sum(n) as n
   from minutes group by ${key}, ${start}, cell`;
};

/**
 * Moves at most `rows` attempts into the statistics. A row is deleted and counted in one statement, so each
 * attempt counts once, whenever it arrives. One caller at a time, or two of them can wait for each other.
 */
export const rollUp = statement<{ rows: number }, { taken: number }>(
  'roll_up_attempts',
  `with taken as (
     delete from recent_attempts where ctid = any (array(select ctid from recent_attempts limit $rows)) returning *
   ), minutes as (${tally('taken')}
   ), counted as (
     ${into('1m', '1 minute')} union all ${into('5m', '5 minutes')}
     union all ${into('1h', '1 hour')} union all ${into('1d', '1 day')}
   ), rolled_up as (
     insert into attempt_stats as s (${key}, grain, starts_at, cells, counts)
     select ${key}, grain, starts_at, array_agg(cell order by cell), array_agg(n::integer order by cell)
     from counted group by ${key}, grain, starts_at
     on conflict (tenant_id, endpoint_id, grain, starts_at, event_name, form_id, outcome) do update set
       (cells, counts) = (
         select array_agg(cell order by cell), array_agg(n order by cell)
         from (select cell, sum(n)::integer as n
               from (select * from unnest(s.cells, s.counts) union all
                     select * from unnest(excluded.cells, excluded.counts)) both_rows (cell, n)
               group by cell) merged)
   )
   select count(*)::integer as taken from taken`,
);

const expired = (grain: string, days: string) =>
  `(select ctid from attempt_stats where grain = '${grain}'
      and starts_at < now() - (${days} + 1) * interval '1 day' order by grain, starts_at limit $rows)`;

/**
 * Deletes at most `rows` of each kind, a day later than reported, so that a query at the limit finds all
 * rows.
 */
export const deleteExpiredStats = statement<
  { minuteDays: number; hourDays: number; dayDays: number; rows: number },
  { removed: true }
>(
  'delete_expired_attempt_stats',
  `delete from attempt_stats where ctid = any (array(
     ${expired('1m', '$minuteDays::float8')} union all ${expired('5m', '$minuteDays::float8')}
     union all ${expired('1h', '$hourDays::float8')}
     union all ${expired('1d', '$dayDays::float8')}))
   returning true as removed`,
);
