import type { Statement } from '@canvass/postgres';
import { statement } from '@canvass/postgres';
import type pg from 'pg';
import type { OutboxRow } from './envelope';
import type { Lane } from './lanes';
import type { From } from './look-from';

/** First half of the advisory lock's key; the second is of the schema and the lane. */
export const lockSpace = 7_226_004;

const tryLead = statement(
  'outbox_try_lead',
  `select pg_try_advisory_lock(${lockSpace}, hashtext(current_schema() || $1::text)) as led`,
);

const lookFree = statement(
  'outbox_look_free',
  `select lane, pg_try_advisory_xact_lock(${lockSpace}, hashtext(current_schema() || lane::text)) as free
     from unnest($1::smallint[]) as lane`,
);

/**
 * The id behind which a look begins: see `look-from.ts`. A statement has one snapshot, so that which transactions have ended
 * and which rows are there is of the same moment.
 */
const behind = (floor: string, open: string) => `(
  select case when bool_or(pg_visible_in_snapshot(xid, pg_current_snapshot())) then 0 else ${floor}::bigint end
    from unnest(${open}::xid8[]) as xid)`;

const anything = statement(
  'outbox_anything',
  `select id from outbox
    where lane = $1 and entity_id <> all($2::bigint[]) and id > ${behind('$3', '$4')} order by id limit 1`,
);

/** Those of other databases of the server are left out: they can append nothing here, and each that ended would make looks begin anew. */
const transactions = statement(
  'outbox_transactions',
  `with elsewhere as materialized (
     select l.transactionid from pg_locks l join pg_stat_get_activity(null) session on session.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
        and session.datid <> (select oid from pg_database where datname = current_database())
   )
   select array(select xid::text from pg_snapshot_xip(now_open) as xid
                 where xid::xid <> all(array(select transactionid from elsewhere))) as open,
          array(select xid::text from unnest($1::xid8[]) as xid where not pg_visible_in_snapshot(xid, now_open)) as "stillOpen"
     from pg_current_snapshot() as now_open`,
);

/** SKIP LOCKED: should two ever lead the same lane, they do not wait for each other. */
const claim = statement(
  'outbox_claim',
  `select id, event_id as "eventId", event_type as "eventType", tenant_id as "tenantId", entity,
          entity_id as "entityId", form_id as "formId", revision, settings::text as settings, traceparent,
          data::text as data, created_at as "createdAt"
     from outbox
    where lane = $1 and entity_id <> all($3::bigint[]) and id > ${behind('$4', '$5')}
    order by id
    limit $2
      for update skip locked`,
);

const remove = statement('outbox_remove', 'delete from outbox where lane = $1 and id = any($2::bigint[])');

const poison = statement(
  'outbox_poison',
  `with gone as (delete from outbox where lane = $1 and id = $2 returning *)
   insert into outbox_poison (event_id, reason, event)
   select event_id, $3, row_to_json(gone) from gone`,
);

/**
 * The walk along `(lane, id)` stays one however the statistics look: they are of a table that was empty a moment ago.
 * A frozen process must not lead for ever: its session is ended after 45 s without a sign of life.
 * The session writes nothing but deletions of what RabbitMQ has confirmed: one that a crash of Postgres undoes is an event
 * sent twice, with the same id. So its commits do not wait for the disk, and the next event does not wait for them.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set plan_cache_mode = force_generic_plan;
    set synchronous_commit = off; set idle_session_timeout = '45s'; set idle_in_transaction_session_timeout = '40s'`);
}

async function rows<R>(client: pg.ClientBase, sql: Statement, values: unknown[]): Promise<R[]> {
  return (await client.query({ name: sql.name, text: sql.text, values })).rows as R[];
}

export async function tryToLead(client: pg.ClientBase, lane: Lane): Promise<boolean> {
  return (await rows<{ led: boolean }>(client, tryLead, [lane]))[0]!.led;
}

/** Lanes that nobody leads at this moment. */
export const freeLanes: Statement = lookFree;

export async function hasWork(
  client: pg.ClientBase,
  lane: Lane,
  held: string[],
  { floor, open }: From,
): Promise<boolean> {
  return (await rows(client, anything, [lane, held, floor, open])).length > 0;
}

export const claimRows = (
  client: pg.ClientBase,
  lane: Lane,
  limit: number,
  held: string[],
  { floor, open }: From,
): Promise<OutboxRow[]> => rows<OutboxRow>(client, claim, [lane, limit, held, floor, open]);

/** Ids of the transactions of this database that are open now, and which of `before` are. */
export async function openTransactions(
  client: pg.ClientBase,
  before: readonly string[],
): Promise<{ open: string[]; stillOpen: string[] }> {
  return (await rows<{ open: string[]; stillOpen: string[] }>(client, transactions, [before]))[0]!;
}

export async function removeRows(client: pg.ClientBase, lane: Lane, ids: string[]): Promise<void> {
  if (ids.length > 0) await rows(client, remove, [lane, ids]);
}

export async function poisonRow(
  client: pg.ClientBase,
  lane: Lane,
  id: string,
  reason: string,
): Promise<void> {
  await rows(client, poison, [lane, id, reason]);
}

/**
 * Counted up to a bound, so that a backlog of millions does not make each scrape a scan of millions. The age is that of
 * the first row of each lane, because only `(lane, id)` is indexed.
 */
export const statsOf: Statement = statement(
  'outbox_stats',
  `select (select count(*) from (select from outbox limit 100000) as counted)::int as pending,
          (select count(*) from (select from outbox_poison limit 10000) as counted)::int as poisoned,
          coalesce(extract(epoch from clock_timestamp() - min(first.created_at)), 0)::float8 as "oldestAgeSeconds"
     from generate_series(0, 3) as n
     cross join lateral (select created_at from outbox where lane = n order by id limit 1) as first`,
);
