import type { Migration } from '@canvass/postgres';
import { logDays } from './20261122T2210_log_days';

/**
 * Counts of the deliveries of large tenants, by ranges of ids. A delivery is counted from the
 * time it waits until its row in the log is deleted. A range has deliveries of one day only, so that a day
 * that is dropped takes its ranges along. Triggers record what is deleted otherwise; the lock orders them
 * with the count of a range.
 *
 * A new delivery has an id of the present, and no range reaches there, so inserts need no trigger.
 */
export const deliveryCounts: Migration = {
  name: '20261126T1000_delivery_counts',
  async up(knex) {
    const { rows } = (await knex.raw(`select quote_ident(current_schema()) as schema`)) as {
      rows: { schema: string }[];
    };
    const definer = `language plpgsql security definer set search_path = ${rows[0]!.schema}, pg_temp`;
    await knex.raw(`
      create table delivery_counts (
        tenant_id bigint not null,
        from_id bigint not null,
        until_id bigint not null,
        deliveries bigint not null,
        primary key (tenant_id, from_id),
        check (from_id < until_id)
      );
      comment on table delivery_counts is 'Deliveries by ranges of ids, those that wait included';
      comment on column delivery_counts.until_id is 'The first id after the range; all deliveries of the range are from the day (UTC) before it';
      create table delivery_count_changes (
        tenant_id bigint not null,
        delivery_id bigint not null,
        change smallint not null
      );
      comment on table delivery_count_changes is 'What a range does not count yet: -1 for a delivery less';
      create index delivery_count_changes_of_tenant on delivery_count_changes (tenant_id, delivery_id);

      create function record_change_of_delivery_count() returns trigger language plpgsql set search_path from current as $$
      begin
        perform pg_advisory_xact_lock_shared(7226016, hashint8(old.tenant_id));
        insert into delivery_count_changes (tenant_id, delivery_id, change)
        select old.tenant_id, old.id, -1
        where exists (
            select from delivery_counts c
            where c.tenant_id = old.tenant_id and c.from_id <= old.id and c.until_id > old.id)
          and not exists (select from deliveries d where d.tenant_id = old.tenant_id and d.id = old.id)
          and not exists (select from waiting w where w.tenant_id = old.tenant_id and w.id = old.id and w.attempts = 0);
        return null;
      end $$;
      create trigger count_of_logged after delete on deliveries for each row
        execute function record_change_of_delivery_count();
      create trigger count_of_waiting after delete on waiting for each row
        when (old.attempts = 0
          and old.id < (((extract(epoch from clock_timestamp()) - 300) * 1000)::bigint - 1767225600000) << 22)
        execute function record_change_of_delivery_count();

      create or replace function drop_log_day(parent text, day text) returns void ${definer} as $$
      declare
        bounds text;
        first_id bigint;
        next_id bigint;
      begin
        select pg_get_expr(c.relpartbound, c.oid) into bounds
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where parent in ('messages', 'deliveries') and i.inhparent = to_regclass(parent) and c.relname = day;
        if bounds is null or bounds = 'DEFAULT' then
          raise exception '% is not a day of %', day, parent using errcode = 'invalid_parameter_value';
        end if;
        execute format('drop table %I', day);
        if parent = 'deliveries' then
          first_id := coalesce((regexp_match(bounds, 'FROM \\(''*(-*[0-9]+)'))[1]::bigint, 0);
          next_id := (regexp_match(bounds, 'TO \\(''*(-*[0-9]+)'))[1]::bigint;
          delete from delivery_counts where until_id > first_id and until_id <= next_id;
          delete from delivery_count_changes where delivery_id >= first_id and delivery_id < next_id;
        end if;
      end $$;`);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger count_of_waiting on waiting;
      drop trigger count_of_logged on deliveries;
      drop function record_change_of_delivery_count();
      drop table delivery_count_changes;
      drop table delivery_counts;`);
    await logDays.down(knex);
    await logDays.up(knex);
  },
};
