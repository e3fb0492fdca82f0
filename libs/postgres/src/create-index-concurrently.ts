import type { Knex } from 'knex';

/**
 * Creates an index on a large table beside writers. For migrations with `transaction: false`. An invalid
 * index of that name, left by an interrupted attempt, is dropped first. A valid one counts as done.
 *
 * @param name of the index, unquoted
 * @param definition the part after the name: `on submissions (tenant_id, submitter_id)`
 */
export async function createIndexConcurrently(
  knex: Knex,
  name: string,
  definition: string,
  options: { unique?: boolean } = {},
): Promise<void> {
  const found = (await knex.raw(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass(quote_ident(current_schema()) || '.' || ?)`,
    [name],
  )) as { rows: { valid: boolean }[] };
  if (found.rows[0]?.valid) return;
  if (found.rows[0]) await dropIndexConcurrently(knex, name);
  await knex.raw(`create ${options.unique ? 'unique ' : ''}index concurrently ${name} ${definition}`);
}

/** Drops an index without blocking writers, if it exists. */
export async function dropIndexConcurrently(knex: Knex, name: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
}
