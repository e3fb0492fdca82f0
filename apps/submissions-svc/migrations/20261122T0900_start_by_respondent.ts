import type { Migration } from '@canvass/postgres';

/** A submission that its respondent has not saved has no start. No release had rows before this migration. */
export const startByRespondent: Migration = {
  name: '20261122T0900_start_by_respondent',
  async up(knex) {
    await knex.raw(`
      alter table submissions alter column started_at drop not null;
      comment on column submissions.started_at is 'When the respondent first saved; null before that';
      update submissions set started_at = null where collection_status = 'not_started'`);
  },
  async down(knex) {
    await knex.raw(`
      update submissions set started_at = created_at where started_at is null;
      alter table submissions alter column started_at set not null;
      comment on column submissions.started_at is null`);
  },
};
