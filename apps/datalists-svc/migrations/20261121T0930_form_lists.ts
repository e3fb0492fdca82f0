import type { Migration } from '@canvass/postgres';

/**
 * This service's copy of which form may read which list, updated by `form.*` events. A deleted form keeps its
 * row, so that a late older event cannot reopen its lists.
 */
export const formLists: Migration = {
  name: '20261121T0930_form_lists',
  async up(knex) {
    await knex.raw(`
      create table form_lists (
        tenant_id  bigint not null,
        form_id    bigint not null,
        name       text not null,
        is_enabled boolean not null,
        is_deleted boolean not null,
        list_ids   bigint[] not null,
        revision   bigint not null,
        primary key (tenant_id, form_id)
      )`);
    await knex.raw('create index form_lists_by_list on form_lists using gin (list_ids)');
  },
  async down(knex) {
    await knex.raw('drop table form_lists');
  },
};
