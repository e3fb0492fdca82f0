import type { Migration } from '@canvass/postgres';
import { searchColumns } from './20261121T1020_search_columns';

/** The search reads items when it first needs them, and stores nothing. */
export const withoutSearchColumns: Migration = {
  name: '20261128T0500_without_search_columns',
  async up(knex) {
    await knex.raw('drop table search_columns');
  },
  down: searchColumns.up,
};
