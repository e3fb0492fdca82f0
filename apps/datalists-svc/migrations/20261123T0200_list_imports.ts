import type { Migration } from '@canvass/postgres';

/**
 * Imports whose items are a version that is not in force, and the errors of rejected ones. They expire: the
 * cleaner deletes the rows here, and the items by `discarded_versions`.
 */
export const listImports: Migration = {
  name: '20261123T0200_list_imports',
  async up(knex) {
    await knex.raw(`
      create table list_imports (
        tenant_id         bigint not null,
        list_id           bigint not null,
        id                bigint not null default next_id(),
        state             text not null default 'receiving'
                          check (state in ('receiving', 'ready', 'rejected', 'applied')),
        format            text not null,
        -- of the items
        version           bigint not null,
        -- what the labels are checked against
        default_locale    text not null,
        available_locales text[] not null,
        ensure_locales    text[] not null,
        bytes             bigint not null default 0,
        rows              integer not null default 0,
        faults            integer not null default 0,
        faults_by_code    json not null default '{}',
        is_whole          boolean not null default false,
        difference        json,
        -- of the list, with the difference
        revision          bigint,
        created_by        json,
        created_at        timestamptz not null default now(),
        expires_at        timestamptz not null,
        primary key (tenant_id, list_id, id),
        foreign key (tenant_id, list_id) references data_lists (tenant_id, id) on delete cascade
      );
      create index list_imports_by_expiry on list_imports (expires_at);
      create table list_import_faults (
        tenant_id bigint not null,
        list_id   bigint not null,
        import_id bigint not null,
        -- counts the errors of an import, from 1
        id        bigint not null,
        line      integer,
        cell      integer,
        field     text,
        code      text not null,
        message   text not null,
        primary key (tenant_id, list_id, import_id, id),
        foreign key (tenant_id, list_id, import_id) references list_imports (tenant_id, list_id, id)
          on delete cascade
      );`);
  },
  async down(knex) {
    await knex.raw('drop table list_import_faults');
    await knex.raw('drop table list_imports');
  },
};
