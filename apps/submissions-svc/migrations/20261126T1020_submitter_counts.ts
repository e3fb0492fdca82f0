import type { Migration } from '@canvass/postgres';

/**
 * Counts of the respondents of large tenants, by ranges of ids. Triggers record what
 * changes in a range: erasures, and inserts with an older id.
 */
export const submitterCounts: Migration = {
  name: '20261126T1020_submitter_counts',
  async up(knex) {
    await knex.raw(`
      create table submitter_counts (
        tenant_id bigint not null,
        from_id bigint not null,
        until_id bigint not null,
        submitters bigint not null,
        primary key (tenant_id, from_id),
        check (from_id < until_id)
      );
      comment on table submitter_counts is 'Respondents by ranges of ids. The ranges of a tenant follow each other from 0 on';
      comment on column submitter_counts.until_id is 'The first id after the range';
      create table submitter_count_changes (
        tenant_id bigint not null,
        submitter_id bigint not null,
        change smallint not null
      );
      comment on table submitter_count_changes is 'What a range does not count yet: 1 for a respondent more, -1 for one less';
      create index submitter_count_changes_of_tenant on submitter_count_changes (tenant_id, submitter_id);

      create function record_change_of_submitter_count() returns trigger language plpgsql set search_path from current as $$
      declare
        changed record;
      begin
        if tg_op = 'DELETE' then changed := old; else changed := new; end if;
        perform pg_advisory_xact_lock_shared(7226017, hashint8(changed.tenant_id));
        insert into submitter_count_changes (tenant_id, submitter_id, change)
        select changed.tenant_id, changed.id, case when tg_op = 'DELETE' then -1 else 1 end
        where exists (
          select from submitter_counts c where c.tenant_id = changed.tenant_id and c.until_id > changed.id);
        return null;
      end $$;
      create trigger count_of_erasure after delete on submitters for each row
        execute function record_change_of_submitter_count();
      create trigger count_of_older_id after insert on submitters for each row
        when (new.id < (((extract(epoch from clock_timestamp()) - 300) * 1000)::bigint - 1767225600000) << 22)
        execute function record_change_of_submitter_count();`);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger count_of_older_id on submitters;
      drop trigger count_of_erasure on submitters;
      drop function record_change_of_submitter_count();
      drop table submitter_count_changes;
      drop table submitter_counts;`);
  },
};
