import type { Migration } from '@canvass/postgres';

/** Progress of the backfill of legacy submissions, so that an interrupted run continues where it stopped. */
export const backfillProgress: Migration = {
  name: '20261121T0200_backfill_progress',
  async up(knex) {
    await knex.raw(`
      create table backfill_progress (
        step text primary key check (step in ('A', 'B', 'C', 'D', 'E')),
        last_id bigint not null,
        after_tenant_id bigint not null default (-9223372036854775808),
        after_id bigint not null default (-9223372036854775808),
        examined bigint not null default 0,
        changed bigint not null default 0,
        locked_tenant_ids bigint[] not null default '{}',
        locked_ids bigint[] not null default '{}',
        started_at timestamptz not null default now(),
        finished_at timestamptz,
        check (cardinality(locked_tenant_ids) = cardinality(locked_ids))
      );
      comment on table backfill_progress is 'One row per step of the latest run; written in the same statement as the rows of a batch';
      comment on column backfill_progress.last_id is 'The newest submission when the run began; younger ones are for the next run';
      comment on column backfill_progress.after_id is 'Submissions up to this tenant and id are done, but for locked_ids';
      comment on column backfill_progress.locked_ids is 'Rows somebody held when their batch came; done before the step ends; their tenants are in locked_tenant_ids';`);
  },
  async down(knex) {
    await knex.raw('drop table backfill_progress');
  },
};
