import type { Migration } from '@canvass/postgres';

/**
 * Messages, waiting deliveries and the delivery log. Messages and the log are partitioned by id: ids carry
 * the time they were made, so a range of ids is a range of days, and retention drops partitions instead of
 * deleting rows. The relay makes the days (`src/retention`); the default partitions keep it working without
 * them.
 */
export const deliveries: Migration = {
  name: '20261122T0901_deliveries',
  async up(knex) {
    await knex.raw(`
      create table messages (
        tenant_id bigint not null,
        id bigint not null,
        event_name text not null,
        entity text not null,
        action text not null,
        body bytea not null,
        traceparent text,
        occurred_at timestamptz not null,
        created_at timestamptz not null default now(),
        primary key (tenant_id, id)
      ) partition by range (id);
      alter table messages alter column body set storage external;
      create table messages_default partition of messages default;
      comment on column messages.id is 'Event id, so that a redelivered event conflicts with the primary key';
      comment on column messages.body is 'The bytes of every request of this message';

      create table waiting (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        endpoint_id bigint not null,
        message_id bigint not null,
        event_name text not null,
        entity_id bigint not null,
        form_id bigint,
        occurred_at timestamptz not null,
        created_at timestamptz not null default now(),
        due_at timestamptz not null,
        attempts integer not null default 0,
        schedule_step integer not null default 0,
        lease uuid,
        lease_until timestamptz,
        primary key (tenant_id, id),
        check ((lease is null) = (lease_until is null))
      ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      create index waiting_due on waiting (tenant_id, endpoint_id, due_at, id) where lease is null;
      create index waiting_leased on waiting (lease_until) where lease_until is not null;
      comment on table waiting is 'Deliveries that are not final. Each change of a row locks the row of its endpoint first';
      comment on column waiting.schedule_step is 'Failures since it was made or resent; selects the delay before the next attempt';
      comment on column waiting.lease is 'Of the claim that sends it; a result counts only under the same lease';

      create table deliveries (
        tenant_id bigint not null,
        id bigint not null,
        message_id bigint not null,
        endpoint_id bigint not null,
        event_name text not null,
        entity_id bigint not null,
        form_id bigint,
        status text not null check (status in ('pending', 'delivered', 'failed', 'dead', 'cancelled')),
        attempt_count integer not null,
        last_outcome text,
        last_status_code integer,
        last_attempt_at timestamptz,
        occurred_at timestamptz not null,
        created_at timestamptz not null,
        finished_at timestamptz,
        attempts json[] not null,
        primary key (tenant_id, id)
      ) partition by range (id);
      create table deliveries_default partition of deliveries default;
      create index deliveries_by_endpoint on deliveries (tenant_id, endpoint_id, id);
      create index deliveries_by_entity on deliveries (tenant_id, entity_id, id);
      create index deliveries_by_form on deliveries (tenant_id, form_id, id);
      create index deliveries_failed on deliveries (tenant_id, endpoint_id, id)
        where status in ('failed', 'dead');
      comment on table deliveries is 'The log: a row from the first failure or the end of a delivery on. A waiting delivery without attempts has none';
      comment on column deliveries.status is 'pending: resent, not tried since; failed: waits for its next attempt; the others are final';
      comment on column deliveries.attempts is 'The newest 100, oldest first';

      create view delivery_log as
        select d.tenant_id, d.id, d.message_id, d.endpoint_id, d.event_name, d.entity_id, d.form_id, d.status,
               d.attempt_count, w.due_at as next_attempt_at, d.last_outcome, d.last_status_code, d.last_attempt_at,
               d.occurred_at, d.created_at, d.finished_at
        from deliveries d
        left join lateral (select due_at from waiting w where w.tenant_id = d.tenant_id and w.id = d.id limit 1) w
          on d.status in ('pending', 'failed')
        union all
        select w.tenant_id, w.id, w.message_id, w.endpoint_id, w.event_name, w.entity_id, w.form_id, 'pending', 0, w.due_at,
               null, null, null, w.occurred_at, w.created_at, null
        from waiting w where w.attempts = 0;
      comment on view delivery_log is 'Every delivery as the API shows it, the waiting ones included';`);
  },
  async down(knex) {
    await knex.raw('drop view delivery_log; drop table deliveries, waiting, messages');
  },
};
