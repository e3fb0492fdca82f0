import type { Migration } from '@canvass/postgres';

/** Without a default, so that adding it does not rewrite the table. */
export const createdBy: Migration = {
  name: '20261122T1240_created_by',
  async up(knex) {
    await knex.raw(`
      alter table submissions add column created_by json;
      comment on column submissions.created_by is
        'Provider, kind and subject of the integration that created it on behalf of the respondent; null: the respondent did'`);
  },
  async down(knex) {
    await knex.raw('alter table submissions drop column created_by');
  },
};
