import { positionalStatement } from '@canvass/postgres';

/** The tables whose days are dropped. Their ids carry the time they were made, so a day is a range of ids. */
export const dailyTables = ['messages', 'deliveries'] as const;
export type DailyTable = (typeof dailyTables)[number];

/**
 * First id of the millisecond of a SQL expression of type `timestamp` (UTC) or `timestamptz`; see
 * `next_id()`.
 */
const firstIdOf = (time: string) => `(((extract(epoch from ${time}) * 1000)::bigint - 1767225600000) << 22)`;

/** Ids `first` ≤ id < `next`; `first` is null where there is no least one. */
export interface PartitionRow {
  name: string;
  first: string | null;
  next: string;
}

const partitions = `
  select c.relname as name, (regexp_match(bound.expr, 'FROM \\(''?(-?[0-9]+)'))[1]::bigint as first,
         (regexp_match(bound.expr, 'TO \\(''?(-?[0-9]+)'))[1]::bigint as next
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as expr) bound
  where i.inhparent = to_regclass($1) and bound.expr <> 'DEFAULT'`;

/** $1 table, $2 days ahead: today and the days after it, by UTC, that no partition covers. */
export const missingDays = positionalStatement(
  'missing_days',
  `select $1 || to_char(day, '_YYYYMMDD') as name, first, next
   from generate_series(date_trunc('day', now() at time zone 'utc'), now() at time zone 'utc' + $2::integer * interval '1 day',
                        interval '1 day') as day
     cross join lateral (select ${firstIdOf('day')} as first, ${firstIdOf(`day + interval '1 day'`)} as next) ids
   where not exists (select from (${partitions}) p where coalesce(p.first < ids.next, true) and p.next > ids.first)
   order by day`,
);

/** $1 table, $2 an id: the partitions with nothing but older ids, oldest first. */
export const olderPartitions = positionalStatement(
  'older_partitions',
  `select * from (${partitions}) p where next <= $2::bigint order by next`,
);

/** $1 table, $2 name, $3 first id, $4 id after the last. */
export const createDay = positionalStatement('create_log_day', 'select create_log_day($1, $2, $3, $4)');

/** $1 table, $2 name of the partition. */
export const dropDay = positionalStatement('drop_log_day', 'select drop_log_day($1, $2)');

export interface CutoffRow {
  /** What was made before it is expired. */
  time: string;
  /** The first id at that time. */
  id: string;
  /** A message that was stored before this has no delivery that was made after the cutoff. */
  messages: string;
  messagesId: string;
}

/**
 * $1 seconds that the log is kept. A message has the time at which its statement started, its deliveries
 * have ids of slightly later times; so messages are kept for an hour longer.
 */
export const findCutoff = positionalStatement(
  'find_cutoff',
  `select time::text, ${firstIdOf('time')} as id, messages::text, ${firstIdOf('messages')} as "messagesId"
   from (select now() - $1 * interval '1 second' as time,
                now() - $1 * interval '1 second' - interval '1 hour' as messages) cutoff`,
);
