import type { Migration } from '@canvass/postgres';

/** Jobs that send an endpoint's failed deliveries again. */
export const recoveries: Migration = {
  name: '20261122T0903_recoveries',
  async up(knex) {
    await knex.raw(`
      create table recoveries (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        endpoint_id bigint not null,
        since timestamptz not null,
        last_id bigint not null,
        until_id bigint not null default next_id(),
        status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
        total bigint not null,
        recovered bigint not null default 0,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, endpoint_id) references endpoints on delete cascade
      );
      create index recoveries_running on recoveries (id) where status = 'running';
      comment on column recoveries.last_id is 'Deliveries up to this id are done; starts at the id of the time since';
      comment on column recoveries.until_id is 'The job takes no delivery that was made after it';
      comment on column recoveries.total is 'Failed deliveries in its range when it was asked for';`);
  },
  async down(knex) {
    await knex.raw('drop table recoveries');
  },
};
