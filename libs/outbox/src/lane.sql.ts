import { advisoryLocks, statement, type BoundStatement } from '@canvass/postgres';
import type pg from 'pg';
import type { OutboxStats } from './dispatcher';
import type { OutboxRow } from './envelope';
import type { Lane } from './lanes';

/**
 * Where a scan of a lane starts: after `floor` while all transactions in `open` are open, else at the first
 * row.
 */
export interface ScanStart {
  floor: string;
  /** Transaction ids. */
  open: readonly string[];
}

const tryLead = statement<{ lane: Lane }, { led: boolean }>(
  'outbox_try_lead',
  `select pg_try_advisory_lock(${advisoryLocks.outboxLane}, hashtext(current_schema() || $lane::text)) as led`,
);

/** Which of the lanes have no leader at this moment. */
export const freeLanes = statement<{ lanes: readonly Lane[] }, { lane: Lane; free: boolean }>(
  'outbox_free_lanes',
  `select lane, pg_try_advisory_xact_lock(${advisoryLocks.outboxLane}, hashtext(current_schema() || lane::text)) as free
     from unnest($lanes::smallint[]) as lane`,
);

/**
 * The id after which a scan starts; see `scan-floor.ts`. One statement has one snapshot, so it sees ended
 * transactions and their rows at the same moment.
 */
const scanStart = `(
  select case when bool_or(pg_visible_in_snapshot(xid, pg_current_snapshot())) then 0 else $floor::bigint end
    from unnest($open::xid8[]) as xid)`;

const hasPending = statement<
  { lane: Lane; excluded: readonly string[]; floor: string; open: readonly string[] },
  { id: string }
>(
  'outbox_has_pending',
  `select id from outbox
    where lane = $lane and entity_id <> all($excluded::bigint[]) and id > ${scanStart} order by id limit 1`,
);

/**
 * Ignores transactions of other databases: they cannot append here, and the end of each would reset the
 * floor.
 */
const transactions = statement<{ before: readonly string[] }, { open: string[]; stillOpen: string[] }>(
  'outbox_transactions',
  `with elsewhere as materialized (
     select l.transactionid from pg_locks l join pg_stat_get_activity(null) session on session.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
        and session.datid <> (select oid from pg_database where datname = current_database())
   )
   select array(select xid::text from pg_snapshot_xip(now_open) as xid
                 where xid::xid <> all(array(select transactionid from elsewhere))) as open,
          array(select xid::text from unnest($before::xid8[]) as xid where not pg_visible_in_snapshot(xid, now_open)) as "stillOpen"
     from pg_current_snapshot() as now_open`,
);

/** SKIP LOCKED: if a lane ever had two leaders, they would not wait for each other. */
const claim = statement<
  { lane: Lane; limit: number; excluded: readonly string[]; floor: string; open: readonly string[] },
  OutboxRow
>(
  'outbox_claim',
  `select id, event_id as "eventId", event_type as "eventType", tenant_id as "tenantId", entity,
          entity_id as "entityId", form_id as "formId", revision, settings::text as settings, traceparent,
          data::text as data, created_at as "createdAt"
     from outbox
    where lane = $lane and entity_id <> all($excluded::bigint[]) and id > ${scanStart}
    order by id
    limit $limit
      for update skip locked`,
);

const remove = statement<{ lane: Lane; ids: readonly string[] }>(
  'outbox_remove',
  'delete from outbox where lane = $lane and id = any($ids::bigint[])',
);

const poison = statement<{ lane: Lane; id: string; reason: string }>(
  'outbox_poison',
  `with gone as (delete from outbox where lane = $lane and id = $id returning *)
   insert into outbox_poison (event_id, reason, event)
   select event_id, $reason, row_to_json(gone) from gone`,
);

/**
 * Keeps the plan on the index `(lane, id)`, because the statistics may be those of an empty table. Ends the
 * session of a frozen process after 45 s, so that it does not lead forever. Commits do not wait for the disk:
 * the session only deletes confirmed rows, and a deletion lost in a crash of Postgres means that an event is
 * sent twice with the same id.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set plan_cache_mode = force_generic_plan;
    set synchronous_commit = off; set idle_session_timeout = '45s'; set idle_in_transaction_session_timeout = '40s'`);
}

async function rows<R>(client: pg.ClientBase, { name, text, values }: BoundStatement<R>): Promise<R[]> {
  return (await client.query({ name, text, values: [...values] })).rows as R[];
}

export async function tryToLead(client: pg.ClientBase, lane: Lane): Promise<boolean> {
  return (await rows(client, tryLead({ lane })))[0]!.led;
}

export async function hasWork(
  client: pg.ClientBase,
  lane: Lane,
  excluded: string[],
  from: ScanStart,
): Promise<boolean> {
  return (await rows(client, hasPending({ lane, excluded, ...from }))).length > 0;
}

export const claimRows = (
  client: pg.ClientBase,
  lane: Lane,
  limit: number,
  excluded: string[],
  from: ScanStart,
): Promise<OutboxRow[]> => rows(client, claim({ lane, limit, excluded, ...from }));

/** Ids of the open transactions of this database, and which of `before` are still open. */
export async function openTransactions(
  client: pg.ClientBase,
  before: readonly string[],
): Promise<{ open: string[]; stillOpen: string[] }> {
  return (await rows(client, transactions({ before })))[0]!;
}

export async function removeRows(client: pg.ClientBase, lane: Lane, ids: string[]): Promise<void> {
  if (ids.length > 0) await rows(client, remove({ lane, ids }));
}

export async function poisonRow(
  client: pg.ClientBase,
  lane: Lane,
  id: string,
  reason: string,
): Promise<void> {
  await rows(client, poison({ lane, id, reason }));
}

/**
 * Counts up to a limit, so that a scrape does not scan a backlog of millions. The age is that of the first
 * row of each lane, because only `(lane, id)` is indexed.
 */
export const statsOf = statement<void, OutboxStats>(
  'outbox_stats',
  `select (select count(*) from (select from outbox limit 100000) as counted)::int as pending,
          (select count(*) from (select from outbox_poison limit 10000) as counted)::int as poisoned,
          coalesce(extract(epoch from clock_timestamp() - min(first.created_at)), 0)::float8 as "oldestAgeSeconds"
     from generate_series(0, 3) as n
     cross join lateral (select created_at from outbox where lane = n order by id limit 1) as first`,
);
