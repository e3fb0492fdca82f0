import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** Failed and dead deliveries of a tenant, newest first. Those of one endpoint have an index already. */
export const failedDeliveries: Migration = {
  name: '20261122T2320_failed_deliveries',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'deliveries_failed_of_tenant',
      `on deliveries (tenant_id, id) where status in ('failed', 'dead')`,
    );
  },
  async down(knex) {
    await dropIndexConcurrently(knex, 'deliveries_failed_of_tenant');
  },
};
