import type { Migration } from '@canvass/postgres';

/** What an erasure of a respondent has to report to identity-svc. */
export const erasedTexts: Migration = {
  name: '20261128T0225_erased_texts',
  async up(knex) {
    await knex.raw(`
      create table erased_texts (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        texts text[] not null,
        primary key (tenant_id, id)
      );
      comment on table erased_texts is 'Ids and display ids of erased respondents, until identity-svc has removed them from views and jobs'`);
  },
  async down(knex) {
    await knex.raw('drop table erased_texts');
  },
};
