import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

/** Times as the API compares them, see `filterFields`. */
const ms = (column: string) => `date_trunc('milliseconds', ${column} at time zone 'UTC')`;

const indexes: [name: string, definition: string][] = [
  [
    'submissions_created',
    `on submissions (tenant_id, form_id, (${ms('created_at')}), id) where deleted_at is null`,
  ],
  [
    'submissions_completed',
    `on submissions (tenant_id, form_id, (${ms('completed_at')}), id) where deleted_at is null and ${ms('completed_at')} is not null`,
  ],
  [
    'submissions_reviewed',
    `on submissions (tenant_id, form_id, status, id) where status <> 'new' and deleted_at is null`,
  ],
  ['submitters_search', 'on submitters using gin (lower(display_id) extensions.gin_trgm_ops)'],
  ['forms_search', 'on forms using gin (lower(name) extensions.gin_trgm_ops)'],
];

/**
 * Indexes for orders and filters of lists: by creation and completion, reviewed submissions, and
 * searches. `modified_at` has no index: a save changes it, and would have to write all indexes of the
 * row instead of none.
 */
export const listIndexes: Migration = {
  name: '20261122T2320_list_indexes',
  transaction: false,
  async up(knex) {
    for (const [name, definition] of indexes) await createIndexConcurrently(knex, name, definition);
  },
  async down(knex) {
    for (const [name] of [...indexes].reverse()) await dropIndexConcurrently(knex, name);
  },
};
