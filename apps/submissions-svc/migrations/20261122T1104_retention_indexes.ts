import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** The submissions that the retention looks for: deleted ones, and those that their respondents left. */
export const retentionIndexes: Migration = {
  name: '20261122T1104_retention_indexes',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'submissions_deleted',
      'on submissions (tenant_id, deleted_at) where deleted_at is not null',
    );
    await createIndexConcurrently(
      knex,
      'submissions_partial',
      `on submissions (tenant_id, id) where collection_status in ('not_started', 'in_progress') and deleted_at is null`,
    );
  },
  async down(knex) {
    await dropIndexConcurrently(knex, 'submissions_partial');
    await dropIndexConcurrently(knex, 'submissions_deleted');
  },
};
