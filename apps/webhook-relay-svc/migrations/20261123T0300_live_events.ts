import { advisoryLocks, type Migration } from '@canvass/postgres';

/**
 * Changes that clients of `GET /api/events/stream` are notified of, for an hour. Triggers add those of
 * recoveries, so every change of a job is there (decision 0065).
 */
export const liveEvents: Migration = {
  name: '20261123T0300_live_events',
  async up(knex) {
    await knex.raw(`
      create table live_events (
        tenant_id bigint not null,
        id bigint not null,
        topic text not null,
        type text not null,
        entity_id bigint not null,
        form_id bigint,
        revision bigint,
        occurred_at timestamptz not null,
        primary key (tenant_id, id)
      ) with (autovacuum_vacuum_scale_factor = 0.02);
      create index live_events_by_age on live_events (id);
      comment on table live_events is 'Changes of the last hour, for the streams of clients';
      comment on column live_events.id is 'Position in a stream; ids grow in the order of commits, because writers hold an advisory lock';

      create function add_live_event_of_job() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(${advisoryLocks.liveEvents}, hashtext(tg_table_schema));
        insert into live_events (tenant_id, id, topic, type, entity_id, occurred_at)
        values (new.tenant_id, next_id(), 'recoveries',
          case when new.finished_at is not null then 'recovery.ended'
               when tg_op = 'INSERT' then 'recovery.started' else 'recovery.progressed' end,
          new.id, clock_timestamp());
        return null;
      end $$;
      create trigger live_event_of_start after insert on jobs for each row
        when (new.kind = 'webhook_recovery') execute function add_live_event_of_job();
      create trigger live_event_of_change after update of state, done, counts on jobs for each row
        when (new.kind = 'webhook_recovery' and
              (old.state, old.done, old.counts::text) is distinct from (new.state, new.done, new.counts::text))
        execute function add_live_event_of_job();`);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger live_event_of_change on jobs;
      drop trigger live_event_of_start on jobs;
      drop function add_live_event_of_job();
      drop table live_events;`);
  },
};
