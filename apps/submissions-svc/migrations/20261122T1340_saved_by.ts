import type { Migration } from '@canvass/postgres';

/**
 * Who saved the answers, if it was not their respondent. The column has no default, so that adding it does
 * not rewrite the tables.
 */
export const savedBy: Migration = {
  name: '20261122T1340_saved_by',
  async up(knex) {
    await knex.raw(`
      alter table submissions add column saved_by json;
      alter table submission_versions add column saved_by json;
      comment on column submissions.saved_by is 'Provider, kind and subject of the staff or integration that saved last; null for the respondent';
      comment on column submission_versions.saved_by is 'As in submissions, at the time of these answers';`);
  },
  async down(knex) {
    await knex.raw(`
      alter table submissions drop column saved_by;
      alter table submission_versions drop column saved_by;`);
  },
};
