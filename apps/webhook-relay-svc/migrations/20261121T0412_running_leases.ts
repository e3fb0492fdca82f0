import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * The slots of an endpoint that are taken, by the time of their leases: while any transaction of the server
 * is old, the primary key has an entry for every lease there was since.
 */
export const runningLeases: Migration = {
  name: '20261121T0412_running_leases',
  transaction: false,
  up: (knex) =>
    createIndexConcurrently(
      knex,
      'leases_running',
      'on leases (tenant_id, endpoint_id, lease_until) include (slot)',
    ),
  down: (knex) => dropIndexConcurrently(knex, 'leases_running'),
};
