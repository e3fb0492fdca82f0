import type { Client } from 'pg';

/**
 * SQL of the id that `next_id()` gives to the row `n` that was made at `ms` (milliseconds since the epoch). The
 * rows are in the order of their ids, as those of a service.
 */
export const idSql = (ms: string, origin: number, n: string): string =>
  `(((${ms}) - 1767225600000) << 22 | (${origin}::bigint << 18) | (${n} & 262143))`;

/** The origins of the ids of each service. */
export const origins = { identity: 1, submissions: 2, datalists: 3, webhooks: 4 } as const;

/**
 * A number from 0 to `below - 1` from the row `n`. Each `prime` gives another column, so that the values of
 * columns are independent of each other.
 */
export const mixed = (n: string, prime: number, below: number): string =>
  `((${n}::bigint * ${prime}) % ${below})`;

/** Milliseconds since the epoch from which on rows are made, and between two of them. */
export interface Clock {
  start: number;
  step: number;
}

/** Rows of the last days, the newest one an hour ago. */
export function clockOf(rows: number, days: number): Clock {
  const span = days * 86_400_000;
  return { start: Date.now() - 3_600_000 - span, step: Math.max(1, Math.floor(span / rows)) };
}

/** SQL of the milliseconds of row `n`, and of the time. */
export const msAt = ({ start, step }: Clock, n: string): string =>
  `(${start}::bigint + ${n}::bigint * ${step})`;
export const timeAt = (clock: Clock, n: string): string => `to_timestamp(${msAt(clock, n)} / 1000.0)`;

/**
 * Fills a table without its indexes and makes them afterwards, which is much faster and leaves them as a
 * service leaves them after a vacuum. Indexes of constraints stay.
 *
 * @param table with its schema
 */
export async function fillTable(
  database: Client,
  table: string,
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await database.query(`drop index ${name}`);
  await fill();
  // The definition of an index of a partitioned table is that of its head alone.
  for (const { definition } of rows) await database.query(definition.replace(' ON ONLY ', ' ON '));
  await database.query(`vacuum (analyze) ${table}`);
}

/** A session that fills: no triggers, so that foreign keys and events of rows cost nothing. */
export async function prepareToFill(database: Client): Promise<void> {
  await database.query(`
    set session_replication_role = replica;
    set maintenance_work_mem = '1GB';
    set max_parallel_maintenance_workers = 2;
    set statement_timeout = 0`);
}

/** Runs a statement over the rows 1 to `rows` in steps; $1 and $2 are the first and the last row of a step. */
export async function inSteps(
  database: Client,
  rows: number,
  sql: string,
  values: unknown[] = [],
): Promise<void> {
  const step = 500_000;
  for (let first = 1; first <= rows; first += step)
    await database.query(sql, [first, Math.min(rows, first + step - 1), ...values]);
}
