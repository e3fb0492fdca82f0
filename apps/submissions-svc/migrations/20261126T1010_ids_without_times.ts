import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * Submissions whose id has another time than their creation, by more than ten minutes, such as those of
 * another system. The index is empty where there are none. Lists of other forms find times of creation by
 * ids.
 */
export const idsWithoutTimes: Migration = {
  name: '20261126T1010_ids_without_times',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'submissions_other_ids',
      `on submissions (tenant_id, form_id) where case when abs((id >> 22) + 1767225600000
         - (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint) > 600000 then 1 end = 1`,
    );
  },
  async down(knex) {
    await dropIndexConcurrently(knex, 'submissions_other_ids');
  },
};
