import type { Migration } from '@canvass/postgres';

/** What the events about an endpoint need to be in order, each once. */
export const endpointEvents: Migration = {
  name: '20261121T0800_endpoint_events',
  async up(knex) {
    await knex.raw(`
      alter table endpoints
        add column revision bigint not null default 0,
        add column reported_failing boolean not null default false;
      comment on column endpoints.revision is 'Events about it so far: failing, disabled, recovered';
      comment on column endpoints.reported_failing is 'An event said that it fails, and none since that it does not';`);
  },
  async down(knex) {
    await knex.raw('alter table endpoints drop column revision, drop column reported_failing');
  },
};
