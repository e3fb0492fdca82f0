import type { Migration } from '@canvass/postgres';

export const passwordLinks: Migration = {
  name: '20261122T1250_password_links',
  async up(knex) {
    await knex.raw(`
      create table password_links (
        tenant_id bigint not null,
        user_id bigint not null,
        token_hash bytea not null,
        expires_at timestamptz not null,
        primary key (tenant_id, user_id),
        constraint password_links_token_unique unique (token_hash),
        constraint password_links_user_fk foreign key (tenant_id, user_id)
          references users (tenant_id, id) on delete cascade
      );
      comment on table password_links is 'One per user, to set a password once: invitations and forgotten passwords';
      comment on column password_links.token_hash is 'SHA-256 of 256 random bits'`);
  },
  async down(knex) {
    await knex.raw('drop table password_links');
  },
};
