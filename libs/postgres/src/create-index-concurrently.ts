import type { Knex } from 'knex';

/**
 * Creates an index on a table that may be large and is written to meanwhile; for migrations with `transaction: false`. What
 * an attempt that was cut off has left, an invalid index of that name, is dropped first; a valid one is taken as done.
 *
 * @param name of the index, unquoted
 * @param definition what comes after the name: `on submissions (tenant_id, submitter_id)`
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

/** Drops an index without making writers wait; nothing where there is none. */
export async function dropIndexConcurrently(knex: Knex, name: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
}
