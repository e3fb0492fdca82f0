import type { Migration } from '@canvass/postgres';

export const refreshTokens: Migration = {
  name: '20261120T1203_refresh_tokens',
  async up(knex) {
    await knex.raw(`
      create table refresh_tokens (
        token_hash bytea primary key,
        tenant_id bigint not null,
        user_id bigint not null,
        family_id bigint not null,
        credentials_version integer not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz,
        revoked_at timestamptz,
        constraint refresh_tokens_user_fk foreign key (tenant_id, user_id)
          references users (tenant_id, id) on delete cascade
      )`);
    await knex.raw(
      `comment on table refresh_tokens is 'SHA-256 of tokens of 256 random bits; a family is one login'`,
    );
    await knex.raw('create index refresh_tokens_family on refresh_tokens (family_id)');
    await knex.raw('create index refresh_tokens_user on refresh_tokens (tenant_id, user_id)');
    await knex.raw('create index refresh_tokens_expiry on refresh_tokens (expires_at)');
  },
  async down(knex) {
    await knex.raw('drop table refresh_tokens');
  },
};
