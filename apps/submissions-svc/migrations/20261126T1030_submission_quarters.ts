import type { Migration } from '@canvass/postgres';

/**
 * Submissions of large forms by quarters of an hour, for statistics. A trigger records
 * what changes in a quarter from `recorded_until` on backwards. `counted_until` follows it. A new
 * submission is of the present, where nothing is recorded, so a create writes nothing more.
 */
export const submissionQuarters: Migration = {
  name: '20261126T1030_submission_quarters',
  async up(knex) {
    await knex.raw(`
      create table submission_quarter_forms (
        tenant_id bigint not null,
        form_id bigint not null,
        counted_until timestamptz not null default '-infinity',
        recorded_until timestamptz not null,
        primary key (tenant_id, form_id),
        foreign key (tenant_id, form_id) references forms (tenant_id, id) on delete cascade,
        check (counted_until <= recorded_until)
      );
      comment on table submission_quarter_forms is 'Forms whose submissions are counted by quarters of an hour';
      comment on column submission_quarter_forms.counted_until is 'submission_quarters counts what is before it';
      comment on column submission_quarter_forms.recorded_until is 'Changes of what is before it are recorded';
      create table submission_quarters (
        tenant_id bigint not null,
        form_id bigint not null,
        starts_at timestamptz not null,
        counted text not null,
        submissions bigint not null,
        primary key (tenant_id, form_id, starts_at, counted),
        foreign key (tenant_id, form_id) references submission_quarter_forms on delete cascade
      );
      comment on column submission_quarters.counted is 'A collection status: created in the quarter, and in this status now. completed: completed in the quarter';
      create table submission_quarter_changes (
        tenant_id bigint not null,
        form_id bigint not null,
        starts_at timestamptz not null,
        counted text not null,
        change integer not null,
        foreign key (tenant_id, form_id) references submission_quarter_forms on delete cascade
      );
      comment on table submission_quarter_changes is 'What submission_quarters does not count yet';
      create index submission_quarter_changes_of_form on submission_quarter_changes (tenant_id, form_id, starts_at);

      create function record_change_of_quarters() returns trigger language plpgsql set search_path from current as $$
      declare
        changed record;
      begin
        if tg_op = 'DELETE' then changed := old; else changed := new; end if;
        perform pg_advisory_xact_lock_shared(7226018, hashint8(changed.form_id));
        insert into submission_quarter_changes (tenant_id, form_id, starts_at, counted, change)
        select changed.tenant_id, changed.form_id, date_bin('15 minutes', c.at, '2000-01-01Z'), c.counted, sum(c.change)
        from submission_quarter_forms f
        join (
          select old.created_at as at, old.collection_status as counted, -1 as change where tg_op <> 'INSERT' and old.deleted_at is null
          union all select old.completed_at, 'completed', -1 where tg_op <> 'INSERT' and old.deleted_at is null
          union all select new.created_at, new.collection_status, 1 where tg_op <> 'DELETE' and new.deleted_at is null
          union all select new.completed_at, 'completed', 1 where tg_op <> 'DELETE' and new.deleted_at is null
        ) c on c.at < f.recorded_until
        where f.tenant_id = changed.tenant_id and f.form_id = changed.form_id
        group by 3, 4 having sum(c.change) <> 0;
        return null;
      end $$;
      create trigger quarters_of_deletion after delete on submissions for each row
        when (old.deleted_at is null) execute function record_change_of_quarters();
      create trigger quarters_of_change after update on submissions for each row
        when ((old.created_at, old.completed_at, old.collection_status, old.deleted_at)
          is distinct from (new.created_at, new.completed_at, new.collection_status, new.deleted_at))
        execute function record_change_of_quarters();
      create trigger quarters_of_older_time after insert on submissions for each row
        when (new.deleted_at is null and least(new.created_at, new.completed_at) < clock_timestamp() - interval '5 minutes')
        execute function record_change_of_quarters();`);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger quarters_of_older_time on submissions;
      drop trigger quarters_of_change on submissions;
      drop trigger quarters_of_deletion on submissions;
      drop function record_change_of_quarters();
      drop table submission_quarter_changes;
      drop table submission_quarters;
      drop table submission_quarter_forms;`);
  },
};
