import { createIndexConcurrently, dropIndexConcurrently, type Migration } from '@canvass/postgres';

const name = 'submissions_deleted_of_form';

/** An index for the list of the deleted submissions of a form, and for taking their deletion back. */
export const deletedSubmissions: Migration = {
  name: '20261123T0420_deleted_submissions',
  transaction: false,
  up: (knex) =>
    createIndexConcurrently(
      knex,
      name,
      'on submissions (tenant_id, form_id, id) where deleted_at is not null',
    ),
  down: (knex) => dropIndexConcurrently(knex, name),
};
