import type { Migration } from '@canvass/postgres';
import type { Knex } from 'knex';

/**
 * Makes room for daily partitions beside what the log holds. All rows so far lie in the default partition,
 * and as long as it has rows, Postgres reads it through, with everybody waiting, whenever a day is added. So
 * it becomes the partition of all that was made before the day after tomorrow, and an empty one takes its
 * place. The check, validated beside readers and writers, spares the exclusive lock from reading the rows.
 * The days themselves are made by the relay (`src/retention`).
 *
 * Each step bears repetition. There is nothing to undo: the build before reads and writes through the
 * parents.
 */
export const logByDays: Migration = {
  name: '20261121T0630_log_by_days',
  transaction: false,
  async up(knex) {
    for (const table of ['messages', 'attempts']) await makeRoom(knex, table);
  },
  down: () => Promise.resolve(),
};

const firstIdOfDayAfterTomorrow = `
  select ((extract(epoch from date_trunc('day', now() at time zone 'utc') + interval '2 days') * 1000)::bigint
          - 1767225600000) << 22 as id`;

async function makeRoom(knex: Knex, table: string): Promise<void> {
  const older = `${table}_older`;
  if ((await rows(knex, 'select to_regclass(?) as found', [older]))[0]?.['found']) return;
  const [{ id } = { id: '' }] = await rows(knex, firstIdOfDayAfterTomorrow);
  await knex.raw(`alter table ${table}_default drop constraint if exists is_older`);
  await knex.raw(`alter table ${table}_default add constraint is_older check (id < ${id}) not valid`);
  await knex.raw(`alter table ${table}_default validate constraint is_older`);
  await knex.transaction(async (tx) => {
    await tx.raw(`
      set local lock_timeout = '2s';
      alter table ${table} detach partition ${table}_default;
      alter table ${table}_default rename to ${older};
      alter table ${table} attach partition ${older} for values from (minvalue) to (${id});
      alter table ${older} drop constraint is_older;
      create table ${table}_default partition of ${table} default;
      comment on table ${older} is 'What was made before the log was kept by days; dropped as a day is'`);
  });
}

const rows = async (knex: Knex, sql: string, values: string[] = []) =>
  ((await knex.raw(sql, values)) as { rows: Record<string, string | null>[] }).rows;
