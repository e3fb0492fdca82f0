import type { Migration } from '@canvass/postgres';

/** Challenges of public forms that were answered, until they expire. A challenge itself is not stored. */
export const usedChallenges: Migration = {
  name: '20261122T2110_used_challenges',
  async up(knex) {
    await knex.raw(`
      create table used_challenges (
        nonce bytea primary key,
        expires_at timestamptz not null
      );
      comment on table used_challenges is 'Of no tenant: a nonce is random, and the signed challenge names its form';`);
  },
  async down(knex) {
    await knex.raw('drop table used_challenges');
  },
};
