import type { Migration } from '@canvass/postgres';

export const signInAttempts: Migration = {
  name: '20261120T1205_sign_in_attempts',
  async up(knex) {
    await knex.raw(`
      create table sign_in_attempts (
        subject bytea primary key,
        attempts integer not null,
        window_ends_at timestamptz not null
      )`);
    await knex.raw(
      `comment on column sign_in_attempts.subject is 'SHA-256 of what is counted: an account, an address or both'`,
    );
    await knex.raw('create index sign_in_attempts_end on sign_in_attempts (window_ends_at)');
  },
  async down(knex) {
    await knex.raw('drop table sign_in_attempts');
  },
};
