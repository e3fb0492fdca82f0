import type { Migration } from '@canvass/postgres';

/** The latest versions of each list, which can be restored. Items that no row references are deleted. */
export const dataListVersions: Migration = {
  name: '20261121T1000_data_list_versions',
  async up(knex) {
    await knex.raw(`
      create table data_list_versions (
        tenant_id         bigint not null,
        list_id           bigint not null,
        -- counts the versions of a list, from 1
        number            integer not null,
        cause             text not null,
        -- number of the version that this one repeats
        restored_from     integer,
        -- of the items; several rows may name the same
        items_version     bigint not null,
        items_count       integer not null,
        default_locale    text not null,
        available_locales text[] not null,
        -- of the list, with this version
        revision          bigint not null,
        created_at        timestamptz not null default now(),
        primary key (tenant_id, list_id, number),
        foreign key (tenant_id, list_id) references data_lists (tenant_id, id) on delete cascade
      )`);
    await knex.raw(`
      insert into data_list_versions
        (tenant_id, list_id, number, cause, items_version, items_count, default_locale, available_locales, revision, created_at)
      select tenant_id, id, 1, 'imported', items_version, items_count, default_locale, available_locales, revision, modified_at
      from data_lists where items_count > 0`);
  },
  async down(knex) {
    await knex.raw(`
      insert into discarded_versions (tenant_id, list_id, version)
      select distinct v.tenant_id, v.list_id, v.items_version
      from data_list_versions v join data_lists l on l.tenant_id = v.tenant_id and l.id = v.list_id
      where v.items_version <> l.items_version
      on conflict do nothing`);
    await knex.raw('drop table data_list_versions');
  },
};
