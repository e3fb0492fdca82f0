import { advisoryLocks } from './advisory-locks';
import { createDatabase } from './create-database';
import type { Tx } from './database';

/** A table as it is before its partitioning, as SQL. */
interface TableShape {
  name: string;
  isPartitioned: boolean;
  /** `with (…)` of each partition, or empty. */
  storage: string;
  comment: string | null;
  /** Primary key, unique and foreign keys. The foreign keys come last. */
  constraints: string[];
  indexes: string[];
  triggers: string[];
}

interface RowFunction {
  /** Name with arguments, for `drop function`. */
  signature: string;
  definition: string;
}

/**
 * Partitions tables by the hash of `tenant_id`, with their rows, in one transaction. Names of tables, keys
 * and indexes stay; those of a partition end with `_p0`, `_p1`, …. Functions of the row types of the tables
 * are created again.
 *
 * Every key must contain `tenant_id`. Foreign keys from other tables to one of these are not supported. The
 * tables are locked for as long as the rows are copied, so stop the service before.
 *
 * @param tables unquoted; a table comes after those that it references
 * @param partitions number of partitions of each table, 2 to 256
 * @throws {Error} if a table is partitioned already, in use or being migrated; then nothing changed
 */
export async function partitionByTenant(
  url: string,
  tables: readonly string[],
  partitions: number,
): Promise<void> {
  const db = createDatabase(
    { Url: url, PoolMax: 1, StatementTimeoutMs: 0 },
    { applicationName: 'partition' },
  );
  try {
    await db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '5s'`);
      const [lock] = await tx.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${advisoryLocks.migration}, hashtext(current_schema())) as mine`,
      );
      if (!lock?.mine) throw new Error('The schema is being migrated by another process.');
      await tx.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      const shapes: TableShape[] = [];
      for (const table of tables) shapes.push(await shapeOf(tx, table));
      const partitioned = shapes.find(({ isPartitioned }) => isPartitioned);
      if (partitioned) throw new Error(`The table ${partitioned.name} is partitioned already.`);

      const functions = await rowFunctions(tx, tables);
      for (const { signature } of functions) await tx.query(`drop function ${signature}`);
      for (const shape of shapes) await copyInto(tx, shape, partitions);
      await tx.query(`drop table ${tables.map(formerName).join(', ')}`);
      for (const sql of shapes.flatMap(({ constraints, indexes, triggers }) => [
        ...constraints,
        ...indexes,
        ...triggers,
      ]))
        await tx.query(sql);
      for (const table of tables) await renameIndexesOfPartitions(tx, table);
      for (const { definition } of functions) await tx.query(definition);
    });
    for (const table of tables) await db.query(`analyze ${table}`);
  } finally {
    await db.close();
  }
}

const formerName = (table: string) => `${table}_unpartitioned`;

async function shapeOf(tx: Tx, table: string): Promise<TableShape> {
  const [shape] = await tx.query<TableShape>(
    `select $1::text as name, relkind = 'p' as "isPartitioned",
       coalesce('with (' || array_to_string(reloptions, ', ') || ')', '') as storage,
       quote_literal(obj_description(oid, 'pg_class')) as comment,
       array(select format('alter table %s add constraint %I %s', $1::text, conname, pg_get_constraintdef(c.oid)) from pg_constraint c
             where c.conrelid = t.oid and contype in ('p', 'u', 'f') order by contype = 'f', conname) as constraints,
       array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = t.oid and not exists (
               select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = t.oid)
             order by i.indexrelid) as indexes,
       array(select pg_get_triggerdef(g.oid) from pg_trigger g where g.tgrelid = t.oid and not tgisinternal order by tgname) as triggers
     from pg_class t where oid = $1::text::regclass`,
    [table],
  );
  return shape!;
}

/** Functions with an argument of a row type of the tables. They keep a table from being replaced. */
const rowFunctions = (tx: Tx, tables: readonly string[]) =>
  tx.query<RowFunction>(
    `select format('%s(%s)', p.oid::regproc, pg_get_function_identity_arguments(p.oid)) as signature,
       pg_get_functiondef(p.oid) as definition
     from pg_proc p where exists (
       select from unnest(p.proargtypes) a join pg_type t on t.oid = a
       where t.typrelid = any ($1::text[]::regclass[]))
     order by p.oid`,
    [tables],
  );

async function copyInto(tx: Tx, { name, storage, comment }: TableShape, partitions: number): Promise<void> {
  const former = formerName(name);
  await tx.query(`alter table ${name} rename to ${former}`);
  await tx.query(
    `create table ${name} (like ${former} including all excluding indexes excluding statistics)
     partition by hash (tenant_id)`,
  );
  for (let n = 0; n < partitions; n += 1)
    await tx.query(
      `create table ${name}_p${n} partition of ${name} for values with (modulus ${partitions}, remainder ${n}) ${storage}`,
    );
  if (comment !== null) await tx.query(`comment on table ${name} is ${comment}`);
  // Generated columns are computed again.
  const [{ columns }] = (await tx.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [former],
  )) as [{ columns: string }];
  await tx.query(`insert into ${name} (${columns}) select ${columns} from ${former}`);
}

/**
 * Gives each index of a partition the name of its parent and the suffix of the partition: an error names the
 * index of the partition, and `problemFromPostgres` knows the parent.
 */
async function renameIndexesOfPartitions(tx: Tx, table: string): Promise<void> {
  const renames = await tx.query<{ sql: string }>(
    `select format('alter index %s rename to %I', child.oid::regclass,
              parent.relname || substr(leaf.relname, length($1::text) + 1)) as sql
     from pg_index i
     join pg_class parent on parent.oid = i.indexrelid
     join pg_inherits h on h.inhparent = parent.oid
     join pg_class child on child.oid = h.inhrelid
     join pg_index ci on ci.indexrelid = child.oid
     join pg_class leaf on leaf.oid = ci.indrelid
     where i.indrelid = $1::text::regclass`,
    [table],
  );
  for (const { sql } of renames) await tx.query(sql);
}
