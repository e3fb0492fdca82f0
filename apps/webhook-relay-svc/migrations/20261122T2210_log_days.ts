import type { Migration } from '@canvass/postgres';

/** The tables with a partition for each day. */
const tables = `'messages', 'deliveries'`;

/**
 * Functions that create and drop the partition of a day, with the rights of the role that migrates. So the
 * role of the service needs no right to create or drop tables. `session_user` is the role of the service.
 */
export const logDays: Migration = {
  name: '20261122T2210_log_days',
  async up(knex) {
    const { rows } = (await knex.raw(`select quote_ident(current_schema()) as schema`)) as {
      rows: { schema: string }[];
    };
    const definer = `language plpgsql security definer set search_path = ${rows[0]!.schema}, pg_temp`;
    await knex.raw(`
      create function create_log_day(parent text, day text, first_id bigint, next_id bigint) returns void ${definer} as $$
      begin
        if parent not in (${tables}) or day !~ ('^' || parent || '_[a-z0-9]+$') then
          raise exception '% is not a day of %', day, parent using errcode = 'invalid_parameter_value';
        end if;
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
          day, parent, first_id, next_id);
        if session_user <> current_user then
          execute format('grant select, insert, update, delete on %I to %I', day, session_user);
        end if;
      end $$;
      create function drop_log_day(parent text, day text) returns void ${definer} as $$
      begin
        if parent not in (${tables}) or not exists (
          select from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = to_regclass(parent) and c.relname = day and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
        ) then
          raise exception '% is not a day of %', day, parent using errcode = 'invalid_parameter_value';
        end if;
        execute format('drop table %I', day);
      end $$;`);
  },
  async down(knex) {
    await knex.raw(`
      drop function create_log_day(text, text, bigint, bigint);
      drop function drop_log_day(text, text);`);
  },
};
