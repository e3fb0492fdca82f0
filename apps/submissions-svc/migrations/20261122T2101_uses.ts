import type { Migration } from '@canvass/postgres';

/**
 * What tenants and forms have used (decision 0044). Each process adds what it has counted once a second, so
 * the rows change often and leave room for it.
 */
export const uses: Migration = {
  name: '20261122T2101_uses',
  async up(knex) {
    await knex.raw(`
      create table tenant_use (
        tenant_id bigint primary key,
        day date not null,
        submissions bigint not null,
        answer_bytes bigint not null,
        recounted_at timestamptz
      ) with (fillfactor = 50);
      comment on column tenant_use.submissions is 'Created on that day (UTC)';
      comment on column tenant_use.answer_bytes is 'Of answers and metadata; counted again each day';
      create table form_use (
        tenant_id bigint not null,
        form_id bigint not null,
        day date not null,
        anonymous bigint not null,
        primary key (tenant_id, form_id)
      ) with (fillfactor = 50);
      comment on column form_use.anonymous is 'Anonymous submissions created on that day (UTC)';`);
  },
  async down(knex) {
    await knex.raw('drop table form_use; drop table tenant_use');
  },
};
