import type { Migration } from '@canvass/postgres';

/**
 * Counts of the submissions of large forms, by ranges of ids. A range counts what had its
 * ids at some time; triggers record what changes in it afterwards. The lock orders them with the count of
 * a range: who changes a submission waits for the count, or the count sees the change.
 *
 * A new submission has an id of the present, and no range reaches there. So only an insert with an older id,
 * as that of an import, is recorded.
 */
export const submissionCounts: Migration = {
  name: '20261126T0600_submission_counts',
  async up(knex) {
    await knex.raw(`
      create table submission_counts (
        tenant_id bigint not null,
        form_id bigint not null,
        from_id bigint not null,
        until_id bigint not null,
        submissions bigint not null,
        primary key (tenant_id, form_id, from_id),
        foreign key (tenant_id, form_id) references forms (tenant_id, id) on delete cascade,
        check (from_id < until_id)
      );
      comment on table submission_counts is 'Submissions that are not deleted, by ranges of ids. The ranges of a form follow each other from 0 on';
      comment on column submission_counts.until_id is 'The first id after the range';
      create table submission_count_changes (
        tenant_id bigint not null,
        form_id bigint not null,
        submission_id bigint not null,
        change smallint not null
      );
      comment on table submission_count_changes is 'What a range does not count yet: 1 for a submission more, -1 for one less';
      create index submission_count_changes_of_form on submission_count_changes (tenant_id, form_id, submission_id);

      create function record_change_of_count() returns trigger language plpgsql set search_path from current as $$
      declare
        changed record;
      begin
        if tg_op = 'DELETE' then changed := old; else changed := new; end if;
        perform pg_advisory_xact_lock_shared(7226015, hashint8(changed.form_id));
        insert into submission_count_changes (tenant_id, form_id, submission_id, change)
        select changed.tenant_id, changed.form_id, changed.id,
          case when tg_op = 'DELETE' or changed.deleted_at is not null then -1 else 1 end
        where exists (
          select from submission_counts c
          where c.tenant_id = changed.tenant_id and c.form_id = changed.form_id and c.until_id > changed.id);
        return null;
      end $$;
      create trigger count_of_deletion after delete on submissions for each row
        when (old.deleted_at is null) execute function record_change_of_count();
      create trigger count_of_change after update of deleted_at on submissions for each row
        when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function record_change_of_count();
      create trigger count_of_older_id after insert on submissions for each row
        when (new.deleted_at is null
          and new.id < (((extract(epoch from clock_timestamp()) - 300) * 1000)::bigint - 1767225600000) << 22)
        execute function record_change_of_count();`);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger count_of_older_id on submissions;
      drop trigger count_of_change on submissions;
      drop trigger count_of_deletion on submissions;
      drop function record_change_of_count();
      drop table submission_count_changes;
      drop table submission_counts;`);
  },
};
