import type { Migration } from '@canvass/postgres';

/** The catalogue has one row per list. `items_version` names the current items. */
export const dataLists: Migration = {
  name: '20261121T0910_data_lists',
  async up(knex) {
    await knex.raw(`
      create table data_lists (
        id                bigint primary key default next_id(),
        tenant_id         bigint not null,
        name              text not null,
        description       text,
        -- name and description, folded; what the catalogue is searched and sorted by
        folded            text collate "C" not null,
        is_active         boolean not null default true,
        default_locale    text not null default 'en',
        available_locales text[] not null default '{}',
        items_count       integer not null default 0,
        items_version     bigint not null default next_id(),
        revision          bigint not null default 1,
        created_at        timestamptz not null default now(),
        modified_at       timestamptz not null default now(),
        unique (tenant_id, id)
      )`);
    await knex.raw('create index data_lists_by_name on data_lists (tenant_id, folded, id)');
  },
  async down(knex) {
    await knex.raw('drop table data_lists');
  },
};
