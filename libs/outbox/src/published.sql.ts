import { advisoryLocks, statement } from '@canvass/postgres';
import { eventColumns } from './insert-events.sql';
import { laneSql, type Lane } from './lanes';

/**
 * Published events are kept in a ring of partitions: each takes the events of one window of time, and is
 * emptied before the ring comes around. So no row is deleted one by one and no table is created or dropped.
 * Both numbers are part of stored rows and of `outbox.schema.sql`.
 */
export const slotCount = 16;
const windowSeconds = 4 * 3_600;

/** The present window and the next one are not part of what is kept. */
export const maxKeptHours = ((slotCount - 2) * windowSeconds) / 3_600;

/** The number of the window of a time, as SQL. */
const windowSql = (time: string) => `(floor(extract(epoch from ${time}))::bigint / ${windowSeconds})`;

/** The partition of the window of a time, as SQL. */
export const slotSql = (time: string) => `(${windowSql(time)} % ${slotCount})::smallint`;

/** Columns that a published event has in common with `outbox`, which gives it a lane, too. */
export const publishedColumns = `id, event_id, created_at, ${eventColumns.replace('lane, ', '')}`;

/** Empties the partitions with nothing but events that were published longer ago. */
export const dropPublished = statement<{ keepHours: number }>(
  'outbox_drop_published',
  'select drop_published_events($keepHours::int)',
);

/** Disk space of all partitions, indexes included. */
export const keptBytesOf = statement<void, { bytes: number }>(
  'outbox_kept_bytes',
  `select coalesce(sum(pg_total_relation_size(relid)), 0)::float8 as bytes
     from pg_partition_tree('outbox_published')`,
);

/** Shared by erasures, which look first into `outbox` and then into `outbox_published`. */
export const lockPublished = statement(
  'outbox_lock_published',
  `select pg_advisory_xact_lock_shared(${advisoryLocks.outboxRepublish}, hashtext(current_schema()))`,
);

/** Waits for erasures, because an event that moves meanwhile would be in neither table for them. */
export const lockRepublish = statement(
  'outbox_lock_republish',
  `select pg_advisory_xact_lock(${advisoryLocks.outboxRepublish}, hashtext(current_schema()))`,
);

/**
 * Waits until open transactions that wrote into the outbox have ended, and blocks other writers. Without it,
 * `resendWaiting` gives earlier events of an entity places after an event whose transaction is still open.
 */
export const lockWriters = statement('outbox_lock_writers', 'lock table outbox in share row exclusive mode');

/**
 * Gives all waiting events of a lane new places after all others. They keep their order, ids and times. If
 * the dispatcher has sent an event and deletes it later, it finds no row. The event is then sent again. Call
 * it after `lockWriters`.
 */
export const resendWaiting = statement<{ lane: Lane }>(
  'outbox_resend_waiting',
  `with gone as (delete from outbox where lane = $lane returning ${publishedColumns})
   insert into outbox (event_id, created_at, ${eventColumns})
   select event_id, created_at, ${laneSql('entity_id')}, ${eventColumns.replace('lane, ', '')} from gone order by id`,
);

/** The present, after which nothing is sent again, and its window. */
export const presentWindow = statement<void, { until: string; last: number }>(
  'outbox_present_window',
  `select now()::text as until, ${windowSql('now()')}::int as last`,
);

/**
 * Moves the events of a partition that were published in a time back into the outbox, in their order. They
 * keep their ids and times.
 */
export const republish = statement<{ slot: number; since: string; until: string }, { count: number }>(
  'outbox_republish',
  `with gone as (
     delete from outbox_published
      where slot = $slot and published_at >= $since::timestamptz and published_at < $until::timestamptz
      returning ${publishedColumns}
   ), again as (
     insert into outbox (event_id, created_at, ${eventColumns})
     select event_id, created_at, ${laneSql('entity_id')}, ${eventColumns.replace('lane, ', '')} from gone order by id
     returning 1
   )
   select count(*)::int as count from again`,
);
