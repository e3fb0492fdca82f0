import { advisoryLocks, statement, type BoundStatement } from '@canvass/postgres';
import type pg from 'pg';
import type { OutboxStats } from './dispatcher';
import type { OutboxRow } from './envelope';
import { laneCount, type Lane } from './lanes';
import { publishedColumns } from './published.sql';

const databaseOid = '(select oid from pg_database where datname = current_database())';

/** The second key of the lock of a lane. The hash leaves its last bits to the lane. */
const laneKey = `((hashtext(current_schema()) & -${laneCount}) | lane)`;

/** A key as `pg_locks` shows it. */
const unsigned = (key: string): string => `(${key}::bigint & 4294967295)::oid`;

/** The leaders of lanes, for a `left join` by `lane`. */
export const lanesWithLeaders = `(
  select lane, held.pid as leader from generate_series(0, ${laneCount - 1}) as lane
    left join pg_locks held on held.locktype = 'advisory' and held.granted and held.database = ${databaseOid}
     and held.classid = ${advisoryLocks.outboxLane}::oid and held.objid = ${unsigned(laneKey)})`;

const join = statement(
  'outbox_join',
  `select pg_advisory_lock_shared(${advisoryLocks.outboxMember}, hashtext(current_schema()))`,
);

export interface LaneLeader {
  lane: Lane;
  /** Process id of the leading session, or null. */
  leader: number | null;
  /** Process id of this session. */
  self: number;
  schema: string;
  /** Number of lanes that this session should lead. */
  quota: number;
}

/** Members have ranks, so that the quotas of all members add up to the number of lanes. */
const leaders = statement<void, LaneLeader>(
  'outbox_leaders',
  `with members as (
     select pid, row_number() over (order by pid) as rank, count(*) over () as size from pg_locks
      where locktype = 'advisory' and granted and database = ${databaseOid}
        and classid = ${advisoryLocks.outboxMember}::oid and objid = ${unsigned('hashtext(current_schema())')}
   )
   select lane, leader, pid as self, current_schema() as schema,
          (${laneCount} / size + case when rank <= ${laneCount} % size then 1 else 0 end)::int as quota
     from members cross join ${lanesWithLeaders} as led where pid = pg_backend_pid()
    order by lane`,
);

const take = statement<{ lanes: readonly Lane[]; max: number }>(
  'outbox_take',
  `select lane from unnest($lanes::int[]) as lane
    where pg_try_advisory_lock(${advisoryLocks.outboxLane}, ${laneKey}) limit $max`,
);

const release = statement<{ lanes: readonly Lane[] }>(
  'outbox_release',
  `select pg_advisory_unlock(${advisoryLocks.outboxLane}, ${laneKey}) from unnest($lanes::int[]) as lane`,
);

/**
 * Ignores transactions of other databases: they cannot append here, and the end of each would reset the
 * floors.
 */
const transactions = statement<{ before: readonly string[] }, { open: string[]; stillOpen: string[] }>(
  'outbox_transactions',
  `with elsewhere as materialized (
     select l.transactionid from pg_locks l join pg_stat_get_activity(null) session on session.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
        and session.datid <> ${databaseOid}
   )
   select array(select xid::text from pg_snapshot_xip(now_open) as xid
                 where xid::xid <> all(array(select transactionid from elsewhere))) as open,
          array(select xid::text from unnest($before::xid8[]) as xid where not pg_visible_in_snapshot(xid, now_open)) as "stillOpen"
     from pg_current_snapshot() as now_open`,
);

/**
 * The place where a scan starts: in each lane after its floor while all transactions in `open` are open, else
 * at the first row; see `scan-floor.ts`.
 */
export interface ScanStart {
  lanes: readonly Lane[];
  /** The floors of the lanes. */
  floors: readonly string[];
  /** Transaction ids. */
  open: readonly string[];
}

export interface Claim extends ScanStart {
  perLane: number;
  /** Most bytes of data of all rows together. A row that exceeds them alone is claimed alone. */
  bytes: number;
  /** Ids of entities to skip. */
  excluded: readonly string[];
}

/**
 * The rows of the lanes by id, as many as the bytes permit. One more row without data means that there are
 * more. Data is read only for rows that are returned. A statement has one snapshot, so it sees ended
 * transactions and their rows at the same moment.
 */
export const claim = statement<Claim, Omit<OutboxRow, 'data'> & { data: string | null }>(
  'outbox_claim',
  `select id, lane, event_id as "eventId", event_type as "eventType", tenant_id as "tenantId", entity,
          entity_id as "entityId", form_id as "formId", revision, settings::text as settings, traceparent, bytes,
          case when before = 0 or before + bytes <= $bytes then data::text end as data, created_at as "createdAt"
     from (
       select o.*, coalesce(sum(bytes) over (order by id rows between unbounded preceding and 1 preceding), 0) as before
         from unnest($lanes::smallint[], $floors::bigint[]) as led(lane, floor)
        cross join lateral (
          select * from outbox
           where lane = led.lane and entity_id not in (select unnest($excluded::bigint[]))
             and id > case when (select bool_or(pg_visible_in_snapshot(xid, pg_current_snapshot()))
                                   from unnest($open::xid8[]) as xid) then 0 else led.floor end
           order by id limit $perLane) as o
     ) as found
    where before <= $bytes
    order by id`,
);

interface RowKey {
  lane: Lane;
  id: string;
}

interface RowKeys {
  lanes: readonly Lane[];
  ids: readonly string[];
}

/** The `limit` keeps the planner from reading the whole index if the table seems to be empty. */
const removeSql = `delete from outbox where ctid = any(array(
     select found.ctid from unnest($lanes::smallint[], $ids::bigint[]) as gone(lane, id)
      cross join lateral (select ctid from outbox where lane = gone.lane and id = gone.id limit 1) as found))`;

const remove = statement<RowKeys>('outbox_remove', removeSql);

const keep = statement<RowKeys>(
  'outbox_keep',
  `with gone as (${removeSql} returning ${publishedColumns})
   insert into outbox_published (${publishedColumns}) select ${publishedColumns} from gone`,
);

const poison = statement<RowKey & { reason: string }>(
  'outbox_poison',
  `with gone as (delete from outbox where lane = $lane and id = $id returning *)
   insert into outbox_poison (event_id, reason, event)
   select event_id, $reason, row_to_json(gone) from gone`,
);

/** All arrays here are of numbers. As text they save `pg` from quoting thousands of elements one by one. */
async function rows<R>(client: pg.ClientBase, { name, text, values }: BoundStatement<R>): Promise<R[]> {
  const asText = values.map((value) => (Array.isArray(value) ? `{${value.join()}}` : value));
  return (await client.query({ name, text, values: asText })).rows as R[];
}

/**
 * Makes the session a member of those that share the lanes.
 *
 * The settings keep the plans on the index `(lane, id)`, because the statistics may be those of an empty
 * table. They end the session of a frozen process after 45 s, so that it does not lead forever. Commits do
 * not wait for the disk: the session only deletes confirmed rows, and a deletion lost in a crash of Postgres
 * means that an event is sent twice with the same id.
 */
export async function joinMembers(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set plan_cache_mode = force_generic_plan;
    set synchronous_commit = off; set idle_session_timeout = '45s'`);
  await rows(client, join());
}

/** Every lane with its leader, in the order of the lanes. */
export const findLeaders = (client: pg.ClientBase): Promise<LaneLeader[]> => rows(client, leaders());

/** Takes free lanes of these, in their order, but at most so many. */
export async function takeLanes(client: pg.ClientBase, lanes: readonly Lane[], max: number): Promise<void> {
  await rows(client, take({ lanes, max }));
}

export async function releaseLanes(client: pg.ClientBase, lanes: readonly Lane[]): Promise<void> {
  await rows(client, release({ lanes }));
}

/**
 * The rows in the order of their ids, and whether rows may have been left because of the bytes. The result is
 * a snapshot: nothing is locked but the lanes.
 */
export async function claimRows(
  client: pg.ClientBase,
  options: Claim,
): Promise<{ found: OutboxRow[]; isCut: boolean }> {
  const all = await rows(client, claim(options));
  const found = all.filter((row): row is OutboxRow => row.data !== null);
  const [first] = found;
  return { found, isCut: found.length < all.length || (first !== undefined && first.bytes > options.bytes) };
}

/** Ids of the open transactions of this database, and which of `before` are still open. */
export async function openTransactions(
  client: pg.ClientBase,
  before: readonly string[],
): Promise<{ open: string[]; stillOpen: string[] }> {
  return (await rows(client, transactions({ before })))[0]!;
}

/** @param isKept whether the rows move to `outbox_published` */
export async function removeRows(
  client: pg.ClientBase,
  keys: readonly RowKey[],
  isKept: boolean,
): Promise<void> {
  if (keys.length === 0) return;
  const bind = isKept ? keep : remove;
  await rows(client, bind({ lanes: keys.map(({ lane }) => lane), ids: keys.map(({ id }) => id) }));
}

export async function poisonRow(client: pg.ClientBase, { lane, id }: RowKey, reason: string): Promise<void> {
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
     from generate_series(0, ${laneCount - 1}) as n
     cross join lateral (select created_at from outbox where lane = n order by id limit 1) as first`,
);
