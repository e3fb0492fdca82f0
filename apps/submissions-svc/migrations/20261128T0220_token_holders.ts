import type { Migration } from '@canvass/postgres';

/** The token of a respondent with an own account ends with the rights of the account. */
export const tokenHolders: Migration = {
  name: '20261128T0220_token_holders',
  async up(knex) {
    await knex.raw(`
      alter table submissions add column token_holder json;
      comment on column submissions.token_holder is 'Kind, subject and version of the own account to which the token was given; null: its rights are not known to end'`);
  },
  async down(knex) {
    await knex.raw('alter table submissions drop column token_holder');
  },
};
