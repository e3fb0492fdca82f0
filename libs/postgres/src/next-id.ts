import type { Migration } from './migrate';

const milliseconds = '(extract(epoch from clock_timestamp()) * 1000)::bigint - 1767225600000';

/** The smallest id of a time plus some milliseconds. Times that no id can contain become the nearest one. */
export function idAt(time: Date, plusMs = 0): string {
  const ms = time.getTime() + plusMs - Date.UTC(2026, 0, 1);
  return String(BigInt(Math.min(Math.max(0, ms), 2 ** 41 - 1)) << 22n);
}

/** SQL of the smallest id of a time, an expression of type `timestamptz`, or `timestamp` in UTC. */
export const idAtSql = (time: string): string =>
  `(((extract(epoch from ${time}) * 1000)::bigint - 1767225600000) << 22)`;

/** The origin of an id (see `nextIdMigration`), which is that of the service that made it. */
export const originOf = (id: string): number => Number((BigInt(id) >> 18n) & 7n);

/** A standard body binds what it names at creation, so that no search_path can redirect it. */
const unguarded = (origin: number) => `
  create or replace function next_id() returns bigint language sql volatile
  begin atomic
    select ((${milliseconds}) << 22) | (${origin}::bigint << 18) | (nextval('next_id_seq') & 262143);
  end`;

function checkOrigin(origin: number): void {
  if (!Number.isInteger(origin) || origin < 0 || origin > 7) throw new Error('The origin is a number 0–7.');
}

/**
 * Creates `next_id()` in the schema of the service: 64-bit ids that grow with time, computed as `milliseconds
 * since 2026-01-01 << 22 | origin << 18 | sequence mod 2^18`. The clock is that of the database. The origin
 * (0–7) keeps the ids of two services apart. Use it as `id bigint primary key default next_id()`.
 */
export function nextIdMigration(name: string, origin: number): Migration {
  checkOrigin(origin);
  return {
    name,
    async up(knex) {
      await knex.raw('create sequence next_id_seq');
      await knex.raw(unguarded(origin));
    },
    async down(knex) {
      await knex.raw('drop function next_id()');
      await knex.raw('drop sequence next_id_seq');
    },
  };
}

const guarded = (origin: number) => `
  create or replace function next_id() returns bigint language sql volatile
  begin atomic
    select next_id_at(${milliseconds}, ${origin}, 'next_id_seq'::regclass, 'next_id_clock'::regclass);
  end`;

/**
 * Keeps `next_id()` from repeating ids when the clock of the database steps back. Without it an id repeats if
 * the sequence has the same remainder in the same millisecond again.
 *
 * `next_id_clock` holds twice the last known time, which lags by up to 200 ms. While the clock is behind it,
 * it is odd and 400 ms later: later than any id. Ids of that period have the time from there, one millisecond
 * more for each 2^18 of the sequence, and the origin plus 8, so that they differ from all others.
 */
export function nextIdGuardMigration(name: string, origin: number): Migration {
  checkOrigin(origin);
  return {
    name,
    async up(knex) {
      await knex.raw('create sequence next_id_clock minvalue 0');
      await knex.raw(`
        create function next_id_at(now_ms bigint, origin bigint, ids regclass, clock regclass) returns bigint
        language plpgsql volatile as $$
        declare
          known bigint := coalesce(pg_sequence_last_value(clock), 0);
          seq bigint := nextval(ids);
        begin
          if now_ms < (known >> 1) then
            if known % 2 = 0 then
              known := setval(clock, known + 801);
            end if;
            return (((known >> 1) + (seq >> 18)) << 22) | ((origin + 8) << 18) | (seq & 262143);
          end if;
          if known % 2 = 1 or now_ms >= (known >> 1) + 200 then
            perform setval(clock, now_ms * 2);
          end if;
          return (now_ms << 22) | (origin << 18) | (seq & 262143);
        end $$`);
      await knex.raw(guarded(origin));
    },
    async down(knex) {
      await knex.raw(unguarded(origin));
      await knex.raw('drop function next_id_at(bigint, bigint, regclass, regclass)');
      await knex.raw('drop sequence next_id_clock');
    },
  };
}

/**
 * Makes the ids of calls that follow each other grow, with the representation of `nextIdGuardMigration`.
 *
 * - The clock is read after the known time. Read before it, a concurrent call could advance the known time
 *   meanwhile, and the clock would seem to step back.
 * - The period after a step back ends when the clock is later than all its ids. Before, it ended one
 *   millisecond too early, with ids below those of the period.
 */
export function nextIdOrderMigration(name: string, origin: number): Migration {
  checkOrigin(origin);
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create function next_id_after(moment bigint, origin bigint, ids regclass, clock regclass) returns bigint
        language plpgsql volatile as $$
        declare
          known bigint := coalesce(pg_sequence_last_value(clock), 0);
          now_ms bigint := coalesce(moment, ${milliseconds});
          seq bigint := nextval(ids);
        begin
          if known % 2 = 0 and now_ms < (known >> 1) then
            known := setval(clock, known + 801);
          end if;
          if known % 2 = 1 and now_ms <= (known >> 1) + (seq >> 18) then
            return (((known >> 1) + (seq >> 18)) << 22) | ((origin + 8) << 18) | (seq & 262143);
          end if;
          if known % 2 = 1 or now_ms >= (known >> 1) + 200 then
            perform setval(clock, now_ms * 2);
          end if;
          return (now_ms << 22) | (origin << 18) | (seq & 262143);
        end $$`);
      await knex.raw(`
        create or replace function next_id() returns bigint language sql volatile
        begin atomic
          select next_id_after(null, ${origin}, 'next_id_seq'::regclass, 'next_id_clock'::regclass);
        end`);
    },
    async down(knex) {
      await knex.raw(guarded(origin));
      await knex.raw('drop function next_id_after(bigint, bigint, regclass, regclass)');
    },
  };
}
