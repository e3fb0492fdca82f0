import type { Migration } from '@canvass/postgres';

/**
 * This service's own copy of which form may read which list, fed by `form.*` events. A deleted form stays as a row, so
 * that an older event arriving late cannot open its lists again.
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
