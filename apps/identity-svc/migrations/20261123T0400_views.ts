import type { Migration } from '@canvass/postgres';

/** Their owner can be a user of an external provider, so there is no foreign key. */
export const views: Migration = {
  name: '20261123T0400_views',
  async up(knex) {
    await knex.raw(`
      create table views (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        owner_provider text not null,
        owner_subject text not null,
        screen text not null,
        scope_id bigint,
        name text not null,
        visibility text not null check (visibility in ('me', 'tenant')),
        is_default boolean not null,
        settings json not null,
        revision bigint not null default 1,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        primary key (tenant_id, id)
      );
      comment on table views is 'Saved views of lists in a console, of one person or of the tenant';
      comment on column views.scope_id is 'The form or list whose rows are shown; null for a list of the tenant';
      comment on column views.settings is 'Made and read by clients: columns, filters, order';
      create unique index views_default_of_owner on views
        (tenant_id, owner_provider, owner_subject, screen, coalesce(scope_id, 0)) where is_default and visibility = 'me';
      create unique index views_default_of_tenant on views
        (tenant_id, screen, coalesce(scope_id, 0)) where is_default and visibility = 'tenant';
      create index views_by_owner on views (tenant_id, owner_provider, owner_subject);

      create table preferences (
        tenant_id bigint not null,
        owner_provider text not null,
        owner_subject text not null,
        settings json not null,
        revision bigint not null default 1,
        primary key (tenant_id, owner_provider, owner_subject)
      );
      comment on table preferences is 'Of one person in a console, such as language and density';`);
  },
  async down(knex) {
    await knex.raw('drop table preferences; drop table views');
  },
};
