import type { Migration } from '@canvass/postgres';

export const serviceAccounts: Migration = {
  name: '20261120T1202_service_accounts',
  async up(knex) {
    await knex.raw(`
      create table service_accounts (
        tenant_id bigint not null constraint service_accounts_tenant_fk references tenants (id),
        id bigint not null default next_id(),
        client_id text not null,
        name text not null,
        secret_hash bytea not null,
        roles text[] not null,
        is_enabled boolean not null default true,
        revision bigint not null default 1,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        primary key (tenant_id, id),
        constraint service_accounts_client_id_unique unique (client_id),
        constraint service_accounts_roles_known
          check (roles <@ array['Admin', 'Editor', 'Viewer', 'Integration'])
      )`);
    await knex.raw(
      `comment on column service_accounts.secret_hash is 'SHA-256; enough because secrets are random or at least 32 characters'`,
    );
  },
  async down(knex) {
    await knex.raw('drop table service_accounts');
  },
};
