import type { Migration } from '@canvass/postgres';

const before = `'Admin', 'Editor', 'Viewer', 'Integration'`;
const after = `'Admin', 'Editor', 'Viewer', 'Respondent', 'Integration'`;

/** Not valid, so that existing rows are not read. A `down` keeps rows with the new role. */
const allow = (roles: string): string =>
  ['users', 'service_accounts']
    .map(
      (table) => `
      alter table ${table} drop constraint ${table}_roles_known;
      alter table ${table} add constraint ${table}_roles_known check (roles <@ array[${roles}]) not valid;`,
    )
    .join('');

/** Adds the role `Respondent`, which answers forms that are not public. */
export const respondentRole: Migration = {
  name: '20261122T0900_respondent_role',
  async up(knex) {
    await knex.raw(allow(after));
  },
  async down(knex) {
    await knex.raw(allow(before));
  },
};
