import type { Migration } from '@canvass/postgres';
import { deliveryCounts } from './20261126T1000_delivery_counts';

/** Lists count rows, so the stored counts go with their triggers. `down` makes them empty. */
export const noDeliveryCounts: Migration = {
  name: '20261128T0600_no_delivery_counts',
  up: (knex) => deliveryCounts.down(knex),
  async down(knex) {
    await deliveryCounts.up(knex);
  },
};
