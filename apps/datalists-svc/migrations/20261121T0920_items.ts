import type { Migration } from '@canvass/postgres';

/**
 * Items live in versions. An import writes a new version and switches `data_lists.items_version` in one
 * transaction, so searches use the old items until it commits. The old version is then deleted in the
 * background. There is no foreign key to data_lists: it would cost a lookup per row, and the only writers of
 * a version hold the lock of its list row.
 */
export const items: Migration = {
  name: '20261121T0920_items',
  async up(knex) {
    await knex.raw(`
      create table items (
        tenant_id     bigint not null,
        list_id       bigint not null,
        version       bigint not null,
        -- order of import, from 0
        position      integer not null,
        value         text collate "C" not null,
        -- { default, <culture key>... }
        labels        jsonb not null,
        folded_value  text collate "C" not null,
        folded_labels jsonb not null,
        primary key (tenant_id, list_id, version, position)
      )`);
    await knex.raw('create unique index items_by_value on items (tenant_id, list_id, version, value)');
    await knex.raw(`
      create table discarded_versions (
        tenant_id    bigint not null,
        list_id      bigint not null,
        version      bigint not null,
        discarded_at timestamptz not null default now(),
        primary key (tenant_id, list_id, version)
      )`);
  },
  async down(knex) {
    await knex.raw('drop table discarded_versions');
    await knex.raw('drop table items');
  },
};
