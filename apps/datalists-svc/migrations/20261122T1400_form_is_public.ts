import type { Migration } from '@canvass/postgres';

/** A token that was issued anonymously ends when its form becomes private. */
export const formIsPublic: Migration = {
  name: '20261122T1400_form_is_public',
  async up(knex) {
    await knex.raw('alter table form_lists add column is_public boolean not null default true');
    await knex.raw(
      `comment on column form_lists.is_public is 'True also for a form that was stored before this column and has not changed since'`,
    );
  },
  async down(knex) {
    await knex.raw('alter table form_lists drop column is_public');
  },
};
