import type { Database } from '@canvass/postgres';

/**
 * Pages that a session looks at while it does some work, hits and reads, of tables and their indexes.
 *
 * @param db of one connection, whose statistics are flushed
 * @param tables a regular expression for their names
 */
export async function pagesOf(db: Database, tables: string, work: () => Promise<unknown>): Promise<number> {
  const pages = async () => {
    await db.query('select pg_stat_force_next_flush()');
    const [row] = await db.query<{ pages: string }>(
      `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read) as pages
       from pg_statio_user_tables where relname ~ $1 and schemaname = current_schema()`,
      [tables],
    );
    return Number(row!.pages);
  };
  const before = await pages();
  await work();
  return (await pages()) - before;
}
