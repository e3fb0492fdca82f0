import type { Migration } from '@canvass/postgres';

export const lastSignIn: Migration = {
  name: '20261122T2300_last_sign_in',
  async up(knex) {
    await knex.raw('alter table users add column last_sign_in_at timestamptz');
    await knex.raw(
      `comment on column users.last_sign_in_at is 'To the minute; null if never, or before this column'`,
    );
  },
  async down(knex) {
    await knex.raw('alter table users drop column last_sign_in_at');
  },
};
