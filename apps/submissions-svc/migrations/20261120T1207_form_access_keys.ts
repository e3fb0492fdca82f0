import type { Migration } from '@canvass/postgres';

/** The keys that sign form-access tokens, shared by all replicas. */
export const formAccessKeys: Migration = {
  name: '20261120T1207_form_access_keys',
  async up(knex) {
    await knex.raw(`
      create table form_access_keys (
        kid text primary key,
        private_key text not null,
        public_jwk json not null,
        not_before timestamptz not null,
        expires_at timestamptz not null,
        created_at timestamptz not null default now()
      );
      comment on column form_access_keys.private_key is 'PKCS 8 PEM, sealed';`);
  },
  async down(knex) {
    await knex.raw('drop table form_access_keys');
  },
};
