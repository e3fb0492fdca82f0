import type { Migration } from '@canvass/postgres';

/** Orders the copies of forms by event ids, which grow even if the owner of the forms is restored. */
export const formEventIds: Migration = {
  name: '20261122T2000_form_event_ids',
  async up(knex) {
    await knex.raw('alter table form_lists add column event_id bigint not null default 0');
    await knex.raw(
      `comment on column form_lists.event_id is 'Id of the last event; 0 for a form without an event since this column'`,
    );
  },
  async down(knex) {
    await knex.raw('alter table form_lists drop column event_id');
  },
};
