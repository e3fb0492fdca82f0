import type { Migration } from '@canvass/postgres';

/**
 * Submissions, with the index that enforces the single-submission gate. Every key leads with the tenant, so
 * that the table can be partitioned by tenant (decision 0034).
 */
export const submissions: Migration = {
  name: '20261120T1204_submissions',
  async up(knex) {
    await knex.raw(`
      create table submissions (
        tenant_id bigint not null,
        id bigint not null default next_id(),
        form_id bigint not null,
        is_complete boolean not null,
        is_test_submission boolean not null,
        current_page integer not null,
        json_data text not null,
        metadata text not null,
        collection_status text not null
          check (collection_status in ('not_started', 'in_progress', 'complete', 'screen_out')),
        previous_collection_status text,
        status text not null default 'new' check (status in ('new', 'read', 'approved', 'declined')),
        submitter_id bigint,
        submitter_display_id text,
        submitter_profile_snapshot jsonb,
        submitted_by text,
        restriction_key text,
        token_hash bytea,
        token_expires_at timestamptz,
        started_at timestamptz not null default now(),
        completed_at timestamptz,
        completed_revision bigint,
        created_at timestamptz not null default now(),
        modified_at timestamptz not null default now(),
        revision bigint not null default 1,
        deleted_at timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, form_id) references forms (tenant_id, id),
        foreign key (tenant_id, submitter_id) references submitters (tenant_id, id),
        check (is_complete = (completed_at is not null)),
        check (is_complete = (completed_revision is not null)),
        check (not (is_complete and collection_status = 'screen_out'))
      ) with (fillfactor = 90);
      comment on column submissions.json_data is 'text, not json: a client reads back the bytes it sent';
      comment on column submissions.completed_revision is 'The revision that completed it; tells the completing save from later ones';
      comment on column submissions.submitted_by is 'Legacy mirror of submitter_id; to be dropped in a future release';
      comment on column submissions.restriction_key is 'SingleSubmission:Form:<form_id>:Submitter:<submitter_id> on a gated form';
      comment on column submissions.token_hash is 'SHA-256 of the submission token; the token itself is not kept';

      create unique index submissions_restriction_key on submissions (tenant_id, restriction_key)
        where restriction_key is not null and deleted_at is null;
      create unique index submissions_token on submissions (tenant_id, token_hash) where token_hash is not null;
      create index submissions_list on submissions (tenant_id, form_id, id desc) where deleted_at is null;
      create index submissions_of_submitter on submissions (tenant_id, form_id, submitter_id)
        where submitter_id is not null and deleted_at is null and not is_test_submission;
      create index submissions_profile on submissions using gin (submitter_profile_snapshot jsonb_path_ops);`);
  },
  async down(knex) {
    await knex.raw('drop table submissions');
  },
};
