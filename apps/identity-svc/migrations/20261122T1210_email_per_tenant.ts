import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** An address is unique within its tenant. Leads with the address, by which a sign-in searches. */
export const emailPerTenant: Migration = {
  name: '20261122T1210_email_per_tenant',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(knex, 'users_email_per_tenant', 'on users (email, tenant_id)', {
      unique: true,
    });
  },
  async down(knex) {
    await dropIndexConcurrently(knex, 'users_email_per_tenant');
  },
};
