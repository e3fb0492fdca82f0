import type { Migration } from '@canvass/postgres';
import { laneCount } from './lanes';
import { slotCount, slotSql, windowSeconds, windowSql } from './published.sql';

/** Thousands of rows come and go, so vacuum runs by their number, not by a share of a mostly empty table. */
const againstBloat = `with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000, toast.autovacuum_vacuum_cost_delay = 0
)`;

/**
 * Creates the tables `outbox` and `outbox_poison` in the schema of the service; needs `next_id()`. `id`
 * orders the events of an entity, `event_id` identifies the event for consumers. `json` keeps the bytes of
 * the data. The only index is the one that the dispatcher scans.
 */
export function outboxMigration(name: string): Migration {
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create table outbox (
          id bigint generated always as identity,
          lane smallint not null check (lane between 0 and 3),
          event_id bigint not null default next_id(),
          event_type text not null,
          tenant_id bigint not null,
          entity text not null,
          entity_id bigint not null,
          form_id bigint,
          revision bigint not null,
          settings json,
          traceparent text,
          data json not null,
          created_at timestamptz not null default now(),
          primary key (lane, id)
        ) ${againstBloat}`);
      await knex.raw(`
        create table outbox_poison (
          event_id bigint primary key,
          reason text not null,
          event json not null,
          created_at timestamptz not null default now()
        )`);
      await knex.raw(
        `comment on table outbox is 'Events to be published; written in the transaction of their change, deleted once confirmed.'`,
      );
      await knex.raw(
        `comment on table outbox_poison is 'Events that cannot be made into a message; kept for a person to look at.'`,
      );
    },
    async down(knex) {
      await knex.raw('drop table outbox_poison');
      await knex.raw('drop table outbox');
    },
  };
}

/**
 * Spreads the outbox over 64 lanes instead of four and adds the size of the data, which the dispatcher knows
 * then without reading it. Waiting rows move to their new lanes, so that the events of an entity stay in one.
 */
export function outboxLanesMigration(name: string): Migration {
  const spread = (lanes: number) => `
    alter table outbox drop constraint outbox_lane_check;
    update outbox set lane = (entity_id >> 1) % ${lanes};
    alter table outbox add constraint outbox_lane_check check (lane between 0 and ${lanes - 1});`;
  return {
    name,
    async up(knex) {
      await knex.raw(`
        alter table outbox add column bytes integer not null generated always as (octet_length(data::text)) stored;
        ${spread(laneCount)}`);
    },
    async down(knex) {
      await knex.raw(`alter table outbox drop column bytes; ${spread(4)}`);
    },
  };
}

/**
 * Creates the table of published events, `outbox_published`. It has a fixed ring of partitions, each for a
 * window of time; see `published.sql.ts`. The service may not truncate tables, so a function of the owner
 * empties the partitions whose events are all older than its argument.
 */
export function outboxPublishedMigration(name: string): Migration {
  const slots = Array.from({ length: slotCount }, (_, slot) => slot);
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create table outbox_published (
          slot smallint not null default ${slotSql('now()')},
          published_at timestamptz not null default now(),
          id bigint not null,
          event_id bigint not null,
          event_type text not null,
          tenant_id bigint not null,
          entity text not null,
          entity_id bigint not null,
          form_id bigint,
          revision bigint not null,
          settings json,
          traceparent text,
          data json not null,
          created_at timestamptz not null
        ) partition by list (slot);
        create index outbox_published_entity on outbox_published (entity_id);
        comment on table outbox_published is 'Events that the broker has confirmed; kept for Service:Outbox:KeepHours.';`);
      for (const slot of slots)
        await knex.raw(`
          create table outbox_published_${slot} partition of outbox_published for values in (${slot})
            with (autovacuum_vacuum_insert_threshold = -1)`);
      // quote_ident, because the name is part of the definition of the function.
      const { rows } = (await knex.raw(`select quote_ident(current_schema()) as schema`)) as {
        rows: { schema: string }[];
      };
      await knex.raw(`
        create function drop_published_events(keep_hours integer) returns void
          language plpgsql security definer set search_path = ${rows[0]!.schema}, pg_temp set lock_timeout = '500ms' as $$
        declare
          present constant bigint := ${windowSql('now()')};
          last_window bigint;
          is_full boolean;
        begin
          for slot in 0..${slotCount - 1} loop
            last_window := present - (present - slot) % ${slotCount};
            if (last_window + 1) * ${windowSeconds} <= extract(epoch from now()) - keep_hours * 3600 then
              execute format('select exists (select from %I)', 'outbox_published_' || slot) into is_full;
              if is_full then execute format('truncate %I', 'outbox_published_' || slot); end if;
            end if;
          end loop;
        end $$`);
    },
    async down(knex) {
      await knex.raw('drop function drop_published_events(integer); drop table outbox_published');
    },
  };
}
