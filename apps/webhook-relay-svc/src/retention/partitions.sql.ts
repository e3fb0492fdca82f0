import { idAtSql, statement } from '@canvass/postgres';

/** The tables whose days are dropped. Their ids carry the time they were made, so a day is a range of ids. */
export const dailyTables = ['messages', 'deliveries'] as const;
export type DailyTable = (typeof dailyTables)[number];

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
  where i.inhparent = to_regclass($table) and bound.expr <> 'DEFAULT'`;

/** Today and so many days after it, by UTC, that no partition covers. */
export const missingDays = statement<{ table: DailyTable; ahead: number }, PartitionRow>(
  'missing_days',
  `select $table || to_char(day, '_YYYYMMDD') as name, first, next
   from generate_series(date_trunc('day', now() at time zone 'utc'), now() at time zone 'utc' + $ahead::integer * interval '1 day',
                        interval '1 day') as day
     cross join lateral (select ${idAtSql('day')} as first, ${idAtSql(`day + interval '1 day'`)} as next) ids
   where not exists (select from (${partitions}) p where coalesce(p.first < ids.next, true) and p.next > ids.first)
   order by day`,
);

/** The partitions with nothing but ids before this one, oldest first. */
export const olderPartitions = statement<{ table: DailyTable; before: string }, PartitionRow>(
  'older_partitions',
  `select * from (${partitions}) p where next <= $before::bigint order by next`,
);

/** Creates the partition of a day. */
export const createDay = statement<PartitionRow & { table: DailyTable }>(
  'create_log_day',
  'select create_log_day($table, $name, $first, $next)',
);

/** Drops the partition of a day. */
export const dropDay = statement<{ table: DailyTable; name: string }>(
  'drop_log_day',
  'select drop_log_day($table, $name)',
);

export interface Cutoff {
  /** The time before which everything made is expired. */
  time: string;
  /** The first id at that time. */
  id: string;
  /** A message that was stored before this has no delivery that was made after the cutoff. */
  messages: string;
  messagesId: string;
}

/**
 * `seconds` is how long the log is kept. A message has the time at which its statement started, its
 * deliveries have ids of slightly later times; so messages are kept for an hour longer.
 */
export const findCutoff = statement<{ seconds: number }, Cutoff>(
  'find_cutoff',
  `select time::text, ${idAtSql('time')} as id, messages::text, ${idAtSql('messages')} as "messagesId"
   from (select now() - $seconds * interval '1 second' as time,
                now() - $seconds * interval '1 second' - interval '1 hour' as messages) cutoff`,
);
