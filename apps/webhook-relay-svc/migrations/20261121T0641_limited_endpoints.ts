import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** Says of all endpoints, most of which have no limit, that there is no turn to look for. */
export const limitedEndpoints: Migration = {
  name: '20261121T0641_limited_endpoints',
  transaction: false,
  up: (knex) =>
    createIndexConcurrently(
      knex,
      'endpoints_limited',
      'on endpoints (tenant_id, id) where max_per_second is not null',
    ),
  down: (knex) => dropIndexConcurrently(knex, 'endpoints_limited'),
};
