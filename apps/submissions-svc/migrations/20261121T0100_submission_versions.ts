import type { Migration } from '@canvass/postgres';

/** Former answers of submissions, and an index from a respondent to all submissions. */
export const submissionVersions: Migration = {
  name: '20261121T0100_submission_versions',
  async up(knex) {
    await knex.raw(`
      create table submission_versions (
        tenant_id bigint not null,
        submission_id bigint not null,
        revision bigint not null,
        json_data text not null,
        metadata text not null,
        saved_at timestamptz not null,
        replaced_at timestamptz not null default now(),
        primary key (tenant_id, submission_id, revision),
        foreign key (tenant_id, submission_id) references submissions (tenant_id, id)
      );
      comment on table submission_versions is 'Answers that a later save replaced; the newest 50 of each submission are kept';
      comment on column submission_versions.revision is 'The last revision of the submission that had these answers';
      comment on column submission_versions.saved_at is 'When the submission got this revision';

      create index submissions_by_submitter on submissions (tenant_id, submitter_id, id) where submitter_id is not null;`);
  },
  async down(knex) {
    await knex.raw('drop index submissions_by_submitter; drop table submission_versions');
  },
};
