import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** For the deletion of old statistics, over all tenants. */
export const attemptStatsByTime: Migration = {
  name: '20261123T0101_attempt_stats_by_time',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(knex, 'attempt_stats_by_time', 'on attempt_stats (grain, starts_at)');
  },
  async down(knex) {
    await dropIndexConcurrently(knex, 'attempt_stats_by_time');
  },
};
