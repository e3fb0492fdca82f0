import type { Migration } from '@canvass/postgres';

/**
 * Messages, deliveries, attempts and the leases of what is in flight. The first three are partitioned by id:
 * ids carry the time they were made, so a range of ids is a range of days, and retention drops partitions
 * instead of deleting rows.
 */
export const deliveries: Migration = {
  name: '20261120T1202_deliveries',
  async up(knex) {
    await knex.raw(`
      create table messages (
        id bigint primary key,
        tenant_id bigint not null,
        event_name text not null,
        entity text not null,
        action text not null,
        body bytea not null,
        traceparent text,
        occurred_at timestamptz not null,
        created_at timestamptz not null default now()
      ) partition by range (id);
      create table messages_default partition of messages default;
      alter table messages alter column body set storage external;
      comment on column messages.id is 'Event id, so that a redelivered event is met by the primary key';
      comment on column messages.body is 'The bytes of every request of this message; serialised once';

      create table deliveries (
        id bigint primary key default next_id(),
        tenant_id bigint not null,
        message_id bigint not null,
        endpoint_id bigint not null,
        event_name text not null,
        entity_id bigint not null,
        form_id bigint,
        status text not null default 'pending'
          check (status in ('pending', 'delivered', 'failed', 'dead', 'cancelled')),
        attempts integer not null default 0,
        schedule_step integer not null default 0,
        next_attempt_at timestamptz,
        last_outcome text,
        last_status_code integer,
        last_attempt_at timestamptz,
        occurred_at timestamptz not null,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        foreign key (tenant_id, endpoint_id) references endpoints,
        check ((next_attempt_at is null) = (status in ('delivered', 'dead', 'cancelled')))
      ) partition by range (id);
      create table deliveries_default partition of deliveries default with (
        fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000
      );
      create index deliveries_waiting on deliveries (tenant_id, endpoint_id, next_attempt_at)
        where next_attempt_at is not null;
      create index deliveries_by_tenant on deliveries (tenant_id, id desc);
      create index deliveries_by_endpoint on deliveries (tenant_id, endpoint_id, id desc);
      create index deliveries_by_entity on deliveries (tenant_id, entity_id, id desc);
      create index deliveries_by_form on deliveries (tenant_id, form_id, id desc);
      comment on column deliveries.message_id is 'No foreign key: both rows are born in one statement, and a key would stop partitions from being dropped';
      comment on column deliveries.status is 'pending: not tried since it was made or resent; failed: tried, waits for its next try; the others are final';
      comment on column deliveries.schedule_step is 'Failures since it was made or resent; picks the wait before the next try';
      comment on column deliveries.next_attempt_at is 'When it is due; null once it is final. Stays in the past while a lease holds it';

      create table attempts (
        id bigint primary key default next_id(),
        tenant_id bigint not null,
        delivery_id bigint not null,
        number integer not null,
        started_at timestamptz not null,
        outcome text not null,
        status_code integer,
        error text,
        url text not null,
        remote_address text,
        dns_ms real,
        connect_ms real,
        tls_ms real,
        first_byte_ms real,
        total_ms real not null,
        request_headers json not null,
        response_body bytea not null,
        response_truncated boolean not null
      ) partition by range (id);
      create table attempts_default partition of attempts default;
      create index attempts_by_delivery on attempts (tenant_id, delivery_id, id);
      comment on column attempts.dns_ms is 'Null, like connect_ms and tls_ms, where a kept connection was used';
      comment on column attempts.request_headers is 'As sent, API keys masked';
      comment on column attempts.response_body is 'First 16 KiB, secrets that came back masked';

      create table leases (
        tenant_id bigint not null,
        endpoint_id bigint not null,
        slot integer not null,
        delivery_id bigint not null unique,
        token uuid not null,
        lease_until timestamptz not null,
        primary key (tenant_id, endpoint_id, slot)
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
      comment on table leases is 'One row per delivery in flight. The two keys hold the rules across processes: a delivery has one sender, an endpoint as many as it has slots';
      comment on column leases.token is 'Of the sender; a result that comes after the lease was given to another finds no row';`);
  },
  async down(knex) {
    await knex.raw('drop table leases, attempts, deliveries, messages');
  },
};
