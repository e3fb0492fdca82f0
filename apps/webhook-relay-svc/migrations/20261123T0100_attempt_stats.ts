import type { Migration } from '@canvass/postgres';

/**
 * Statistics of attempts. `recent_attempts` gets a row with each attempt, in the statement that records it. A
 * job moves these rows into `attempt_stats`, which outlives the log (decision 0058).
 */
export const attemptStats: Migration = {
  name: '20261123T0100_attempt_stats',
  async up(knex) {
    await knex.raw(`
      create table recent_attempts (
        tenant_id bigint not null,
        endpoint_id bigint not null,
        form_id bigint,
        started_at timestamptz not null,
        dns_ms real,
        connect_ms real,
        tls_ms real,
        first_byte_ms real,
        total_ms real not null,
        end_to_end_ms real,
        event_name text not null,
        outcome text not null,
        status text
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      comment on table recent_attempts is 'Attempts that attempt_stats does not count yet; without an index, because it is read as a whole';
      comment on column recent_attempts.status is 'Of the delivery after the attempt; null if the attempt decided nothing';
      comment on column recent_attempts.end_to_end_ms is 'From the change to the end of the attempt that delivered it; null for other attempts';

      create table attempt_stats (
        tenant_id bigint not null,
        endpoint_id bigint not null,
        grain text not null check (grain in ('1m', '5m', '1h', '1d')),
        starts_at timestamptz not null,
        event_name text not null,
        form_id bigint not null,
        outcome text not null,
        cells smallint[] not null,
        counts integer[] not null,
        primary key (tenant_id, endpoint_id, grain, starts_at, event_name, form_id, outcome)
      ) with (fillfactor = 80);
      comment on table attempt_stats is 'Number of attempts by the time at which they started, per minute, five minutes, hour and day (UTC)';
      comment on column attempt_stats.form_id is '0 if the event belongs to no form';
      comment on column attempt_stats.cells is 'What is counted, ascending: 0 attempts, 1 delivered, 2 dead, others a duration';
      comment on column attempt_stats.counts is 'The number for each of cells';`);
  },
  async down(knex) {
    await knex.raw('drop table attempt_stats, recent_attempts');
  },
};
