import type { Migration } from '@canvass/postgres';

/** Lanes of every outbox: an entity's events share a lane, each lane has one active dispatcher, and they run side by side. */
export const lanes = 4;

/** A queue table is emptied as fast as it is filled: vacuum by a fixed number of dead rows, never by a share of none. */
const forQueues = `
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000`;

/**
 * Creates `outbox` and `outbox_poison` in the service's schema, which must have `next_id()` already.
 *
 * Writers insert `lane` (`entity_id % 4`), `event_type`, `tenant_id`, `entity`, `entity_id`, `form_id`, `revision`, `settings`,
 * `traceparent` and `data`, as the last row of their transaction and while they hold the entity's row lock; then `id`
 * order is the order of each entity. `data` is `json`, not `jsonb`: its bytes go out as they came in.
 */
export function outboxMigration(name: string): Migration {
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create table outbox (
          lane smallint not null check (lane between 0 and ${lanes - 1}),
          id bigint generated always as identity,
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
        ) with (${forQueues})`);
      await knex.raw(`
        create table outbox_poison (
          event_id bigint primary key,
          reason text not null,
          event json not null,
          created_at timestamptz not null default now()
        )`);
    },
    async down(knex) {
      await knex.raw('drop table outbox_poison');
      await knex.raw('drop table outbox');
    },
  };
}
