import type { Migration } from '@canvass/postgres';

export const signingKeys: Migration = {
  name: '20261120T1204_signing_keys',
  async up(knex) {
    await knex.raw(`
      create table signing_keys (
        kid text primary key,
        private_key text not null,
        public_jwk json not null,
        not_before timestamptz not null,
        expires_at timestamptz not null,
        created_at timestamptz not null default now()
      )`);
    await knex.raw(
      `comment on column signing_keys.private_key is 'PKCS 8, sealed with Service:Encryption:Keys'`,
    );
  },
  async down(knex) {
    await knex.raw('drop table signing_keys');
  },
};
