import type { Migration } from '@canvass/postgres';

/** How much an endpoint is trusted with: what slows it down and what pauses it. */
export const endpointHealth: Migration = {
  name: '20261121T0415_endpoint_health',
  async up(knex) {
    await knex.raw(`
      alter table endpoints
        add column slots integer not null default 5 check (slots >= 1),
        add column failures integer not null default 0,
        add column resume_at timestamptz;
      comment on column endpoints.slots is 'Deliveries it may be sent at once, at most max_in_flight: halved by what overloads it, raised by each success';
      comment on column endpoints.failures is 'In a row, of those that say that the endpoint is not well; 0 while it is';
      comment on column endpoints.resume_at is 'Until then nothing is claimed for it; what is due waits in Postgres';`);
  },
  async down(knex) {
    await knex.raw('alter table endpoints drop column slots, drop column failures, drop column resume_at');
  },
};
