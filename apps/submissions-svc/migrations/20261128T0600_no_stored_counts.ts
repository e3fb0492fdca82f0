import type { Migration } from '@canvass/postgres';
import { submissionCounts } from './20261126T0600_submission_counts';
import { submitterCounts } from './20261126T1020_submitter_counts';
import { submissionQuarters } from './20261126T1030_submission_quarters';

/** Lists and statistics count rows, so the stored counts go with their triggers. `down` makes them empty. */
export const noStoredCounts: Migration = {
  name: '20261128T0600_no_stored_counts',
  async up(knex) {
    await submissionQuarters.down(knex);
    await submitterCounts.down(knex);
    await submissionCounts.down(knex);
  },
  async down(knex) {
    await submissionCounts.up(knex);
    await submitterCounts.up(knex);
    await submissionQuarters.up(knex);
  },
};
