import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * Deliveries of an event, newest first; and all but those of which the first attempt succeeded, with what
 * filters compare. Failed and dead deliveries are among them, so their index is replaced.
 */
export const logIndexes: Migration = {
  name: '20261126T1001_log_indexes',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'deliveries_exceptions',
      `on deliveries (tenant_id, id, status, last_outcome, last_status_code, attempt_count)
       where status <> 'delivered' or attempt_count > 1`,
    );
    await createIndexConcurrently(knex, 'deliveries_by_event', 'on deliveries (tenant_id, event_name, id)');
    await dropIndexConcurrently(knex, 'deliveries_failed_of_tenant');
  },
  async down(knex) {
    await createIndexConcurrently(
      knex,
      'deliveries_failed_of_tenant',
      `on deliveries (tenant_id, id) where status in ('failed', 'dead')`,
    );
    await dropIndexConcurrently(knex, 'deliveries_by_event');
    await dropIndexConcurrently(knex, 'deliveries_exceptions');
  },
};
