import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * Finds items by value with an index on expressions instead of columns. With two indexes on the same leading
 * columns the planner must guess the number of items of a version, and guesses one: there are no statistics
 * for a version that was just imported, and it takes tenant, list and version as independent. Both indexes
 * then seem to cost the same, and it often scanned a whole version with the wrong one. Now a condition on the
 * columns can only use the primary key, and one on the expressions only this index. The previous build
 * meanwhile finds values by the primary key, which is slower but correct.
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
