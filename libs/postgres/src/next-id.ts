import type { Migration } from './migrate';

/**
 * Creates `next_id()` in the schema of the service: 64-bit ids that grow with time, computed as `milliseconds
 * since 2026-01-01 << 22 | origin << 18 | sequence mod 2^18`. The clock is that of the database. The origin
 * (0–15) keeps the ids of two services apart. Use it as `id bigint primary key default next_id()`.
 */
export function nextIdMigration(name: string, origin: number): Migration {
  if (!Number.isInteger(origin) || origin < 0 || origin > 15) throw new Error('The origin is a number 0–15.');
  return {
    name,
    async up(knex) {
      await knex.raw('create sequence next_id_seq');
      // The standard body binds the sequence at creation, so that no search_path can redirect it.
      await knex.raw(`
        create function next_id() returns bigint language sql volatile
        begin atomic
          select (((extract(epoch from clock_timestamp()) * 1000)::bigint - 1767225600000) << 22)
               | (${origin}::bigint << 18)
               | (nextval('next_id_seq') & 262143);
        end`);
    },
    async down(knex) {
      await knex.raw('drop function next_id()');
      await knex.raw('drop sequence next_id_seq');
    },
  };
}
