import type { Migration } from '@canvass/postgres';
import { idsWithoutTimes } from './20261126T1010_ids_without_times';

/** Lists find times of creation by the index of the time. */
export const noTimesInIds: Migration = {
  name: '20261128T0601_no_times_in_ids',
  transaction: false,
  up: (knex) => idsWithoutTimes.down(knex),
  down: (knex) => idsWithoutTimes.up(knex),
};
