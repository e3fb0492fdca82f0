import type { Migration } from '@canvass/postgres';

/**
 * Prepared search data of large lists, in its in-memory format: a starting process reads a few megabytes
 * instead of sorting and folding a million labels again. All of it can be rebuilt. Rows of versions that are
 * no longer current are deleted.
 */
export const searchColumns: Migration = {
  name: '20261121T1020_search_columns',
  async up(knex) {
    await knex.raw(`
      create table search_columns (
        tenant_id bigint not null,
        list_id   bigint not null,
        version   bigint not null,
        -- which column of the version, and of which kind its bytes are
        name      text collate "C" not null,
        chunk     integer not null,
        alphabet  text collate "C",
        bytes     bytea not null,
        primary key (tenant_id, list_id, version, name, chunk)
      )`);
    // Already as small as it gets; decompressing would take longer than reading.
    await knex.raw('alter table search_columns alter column bytes set storage external');
  },
  async down(knex) {
    await knex.raw('drop table search_columns');
  },
};
