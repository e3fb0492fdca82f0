import type { Migration } from '@canvass/postgres';

/** Who made a version of the items. */
export const versionAuthors: Migration = {
  name: '20261123T0210_version_authors',
  async up(knex) {
    await knex.raw('alter table data_list_versions add column created_by json');
    await knex.raw(
      `comment on column data_list_versions.created_by is 'Null also for a version that was made before this column'`,
    );
  },
  async down(knex) {
    await knex.raw('alter table data_list_versions drop column created_by');
  },
};
