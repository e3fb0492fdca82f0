import type { Knex } from 'knex';

/**
 * Creates an index on a large table beside writers. For migrations with `transaction: false`. An invalid
 * index of that name, left by an interrupted attempt, is dropped first. A valid one counts as done. On a
 * partitioned table it creates the index of one partition after the other, with the suffix of the partition.
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
  const create = `create ${options.unique ? 'unique ' : ''}index`;
  const [, table = '', rest = ''] = /^on (\w+) ([^]+)$/.exec(definition.trim()) ?? [];
  const partitions = await partitionsOf(knex, table);
  if (partitions === null) return createOne(knex, create, name, definition);
  // Valid once every partition has its own.
  await knex.raw(`${create} if not exists ${name} on only ${table} ${rest}`);
  for (const partition of partitions) {
    const own = `${name}${partition.slice(table.length)}`;
    await createOne(knex, create, own, `on ${partition} ${rest}`);
    await knex.raw(`alter index ${name} attach partition ${own}`);
  }
}

/**
 * Drops an index without blocking writers, if it exists. The indexes of a partitioned table are dropped under
 * a short lock, because Postgres cannot do it otherwise.
 */
export async function dropIndexConcurrently(knex: Knex, name: string): Promise<void> {
  const found = await rowsOf<{ kind: string }>(
    knex,
    `select relkind as kind from pg_class where oid = to_regclass(quote_ident(current_schema()) || '.' || ?)`,
    name,
  );
  await knex.raw(`drop index ${found[0]?.kind === 'I' ? '' : 'concurrently '}if exists ${name}`);
}

async function createOne(knex: Knex, create: string, name: string, definition: string): Promise<void> {
  const [found] = await rowsOf<{ valid: boolean }>(
    knex,
    `select indisvalid as valid from pg_index where indexrelid = to_regclass(quote_ident(current_schema()) || '.' || ?)`,
    name,
  );
  if (found?.valid) return;
  if (found) await dropIndexConcurrently(knex, name);
  await knex.raw(`${create} concurrently ${name} ${definition}`);
}

/** Names of the partitions; null if the table is not partitioned. */
async function partitionsOf(knex: Knex, table: string): Promise<string[] | null> {
  const [row] = await rowsOf<{ partitions: string[] }>(
    knex,
    `select array(select i.inhrelid::regclass::text from pg_inherits i where i.inhparent = t.oid order by i.inhrelid) as partitions
     from pg_class t where t.oid = to_regclass(?) and t.relkind = 'p'`,
    table,
  );
  return row?.partitions ?? null;
}

async function rowsOf<Row>(knex: Knex, sql: string, value: string): Promise<Row[]> {
  return ((await knex.raw(sql, [value])) as { rows: Row[] }).rows;
}
