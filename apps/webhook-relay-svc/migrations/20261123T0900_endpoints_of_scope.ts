import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/**
 * Keeps the index by scope from searches by id. With statistics from when a tenant had one endpoint, its cost
 * equals that of the primary key, and a fan-out read all endpoints of the tenant for each delivery. Only a
 * condition on `scope_id` implies the predicate, so the planner has no choice; the column has no nulls.
 */
export const endpointsOfScope: Migration = {
  name: '20261123T0900_endpoints_of_scope',
  transaction: false,
  async up(knex) {
    await createIndexConcurrently(
      knex,
      'endpoints_of_scope',
      'on endpoints (tenant_id, scope, scope_id) where scope_id is not null',
    );
    await dropIndexConcurrently(knex, 'endpoints_by_scope');
  },
  async down(knex) {
    await createIndexConcurrently(knex, 'endpoints_by_scope', 'on endpoints (tenant_id, scope, scope_id)');
    await dropIndexConcurrently(knex, 'endpoints_of_scope');
  },
};
