import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * Finds items by value, of expressions instead of the columns. With two indexes that begin with the same three columns the planner
 * has to guess how many items a version has, and it guesses one: no statistics tell of a version that was just
 * imported, and they take tenant, list and version for independent. Then both indexes cost the same, and often it read a
 * whole version by the wrong one to find a page. Now a condition on the columns can use the primary key only, one on
 * the expressions this index only. The build before this one finds values by the primary key meanwhile: slower, and right.
 */
export const itemsByValue: Migration = {
  name: '20261121T1030_items_by_value',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'items_of_version_by_value',
      'on items ((tenant_id + 0), (list_id + 0), (version + 0), value)',
      { unique: true },
    );
    await dropIndexConcurrently(knex, 'items_by_value');
  },
  async down(knex) {
    await createIndexConcurrently(knex, 'items_by_value', 'on items (tenant_id, list_id, version, value)', {
      unique: true,
    });
    await dropIndexConcurrently(knex, 'items_of_version_by_value');
  },
};
