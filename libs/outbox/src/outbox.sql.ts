import { statement } from '@canvass/postgres';

/** One leader per lane: session locks, keyed by the schema so that the outboxes of one database do not meet. */
export const tryLead = `select pg_try_advisory_lock(hashtext(current_schema() || '.outbox'), $1) as leads`;
export const resign = `select pg_advisory_unlock_all()`;

/** The oldest rows of a lane. A cursor would skip rows that commit late with a small id; this reads what is there. */
export const oldestRows = statement(
  'outbox_oldest_rows',
  `select id, event_id, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent,
          data::text as data, created_at
   from outbox where lane = $1 order by id limit $2`,
);

export const deleteRows = statement(
  'outbox_delete_rows',
  `delete from outbox where lane = $1 and id = any($2::bigint[])`,
);

export const moveToPoison = statement(
  'outbox_move_to_poison',
  `with gone as (delete from outbox where lane = $1 and id = $2 returning *)
   insert into outbox_poison (event_id, reason, event)
   select event_id, $3, row_to_json(gone) from gone
   on conflict (event_id) do nothing`,
);

/** Counts up to a bound: a backlog of millions must not make each scrape a scan of millions. */
export const pendingRows = `
  select (select count(*) from (select 1 from outbox limit $1) rows)::integer as pending,
         (select coalesce(max(extract(epoch from now() - created_at)), 0)::double precision
          from generate_series(0, 3) lane,
               lateral (select created_at from outbox o where o.lane = lane.lane order by id limit 1) oldest
         ) as oldest_age_seconds`;
