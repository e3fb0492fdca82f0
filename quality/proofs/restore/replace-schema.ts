import { pipeline } from 'node:stream/promises';
import { withClient } from '@canvass/infra';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/**
 * Replaces the rows of all tables of a schema by those of the same schema of another server, in one
 * transaction. Triggers and foreign keys are not checked meanwhile. Sequences stay, because they are ahead.
 */
export async function replaceSchema(fromUrl: string, toUrl: string, schema: string): Promise<number> {
  return withClient(fromUrl, (source) =>
    withClient(toUrl, async (target) => {
      const tables = await tablesOf(target, schema);
      await target.query(
        `begin; set local session_replication_role = replica; truncate ${tables.join(', ')}`,
      );
      for (const table of tables) {
        const columns = await columnsOf(target, table);
        await pipeline(
          source.query(copyTo(`copy (select ${columns} from ${table}) to stdout`)),
          target.query(copyFrom(`copy ${table} (${columns}) from stdin`)),
        );
      }
      await target.query('commit');
      return tables.length;
    }),
  );
}

/** Partitioned tables are filled by their partitions. */
async function tablesOf(session: Client, schema: string): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `select format('%I.%I', $1::text, relname) as name from pg_class
      where relnamespace = $1::regnamespace and relkind = 'r' order by relname`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

async function columnsOf(session: Client, table: string): Promise<string> {
  const { rows } = await session.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]!.columns;
}
