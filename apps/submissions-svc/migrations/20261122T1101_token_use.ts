import type { Migration } from '@canvass/postgres';

/** The first use of a submission token, after which no repeated response contains it. */
export const tokenUse: Migration = {
  name: '20261122T1101_token_use',
  async up(knex) {
    await knex.raw(`
      alter table submissions add column token_used_at timestamptz;
      comment on column submissions.token_used_at is 'First use of the token; from then on its holder has it'`);
  },
  async down(knex) {
    await knex.raw('alter table submissions drop column token_used_at');
  },
};
