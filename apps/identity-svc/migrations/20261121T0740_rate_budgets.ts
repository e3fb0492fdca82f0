import type { Migration } from '@canvass/postgres';

/** Unlogged: budgets live for a window of about a minute, so a crash of the database may reset them. */
export const rateBudgets: Migration = {
  name: '20261121T0740_rate_budgets',
  async up(knex) {
    await knex.raw(`
      create unlogged table rate_budgets (
        subject bytea primary key,
        budget integer not null,
        asked integer not null,
        spent integer not null,
        window_ends_at timestamptz not null
      ) with (fillfactor = 70)`);
    await knex.raw(`
      comment on table rate_budgets is
        'What gateways may let through in a window. subject: SHA-256 of whom it is for; spent: lent to gateways so far'`);
    await knex.raw('create index rate_budgets_end on rate_budgets (window_ends_at)');
  },
  async down(knex) {
    await knex.raw('drop table rate_budgets');
  },
};
