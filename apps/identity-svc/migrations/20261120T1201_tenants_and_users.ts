import type { Migration } from '@canvass/postgres';

export const tenantsAndUsers: Migration = {
  name: '20261120T1201_tenants_and_users',
  async up(knex) {
    await knex.raw(`
      create table tenants (
        id bigint primary key default next_id(),
        name text not null,
        created_at timestamptz not null default now(),
        constraint tenants_name_unique unique (name)
      )`);
    await knex.raw(`
      create table users (
        tenant_id bigint not null constraint users_tenant_fk references tenants (id),
        id bigint not null default next_id(),
        email text not null,
        name text,
        password_hash text not null,
        roles text[] not null,
        is_enabled boolean not null default true,
        credentials_version integer not null default 1,
        revision bigint not null default 1,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        primary key (tenant_id, id),
        constraint users_email_unique unique (email),
        constraint users_roles_known check (roles <@ array['Admin', 'Editor', 'Viewer', 'Integration'])
      )`);
    await knex.raw(
      `comment on column users.email is 'lower case; unique across tenants since a login names no tenant'`,
    );
    await knex.raw(
      `comment on column users.credentials_version is 'grows with the password and with disabling; ends refresh tokens of before'`,
    );
  },
  async down(knex) {
    await knex.raw('drop table users');
    await knex.raw('drop table tenants');
  },
};
