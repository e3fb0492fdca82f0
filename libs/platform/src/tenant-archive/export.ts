import type { Database } from '@canvass/postgres';
import { open } from 'node:fs/promises';
import { columnsOf, selectRows, type Column } from './archive.sql';
import type { ArchivedTable, ArchiveHead } from './tables';

const batch = 200;

/**
 * Writes the rows of a tenant to a new file, NDJSON, all from one snapshot, at constant memory. Returns the
 * number of rows by table.
 */
export async function exportTenant(
  db: Database,
  { service, tenantId, file }: { service: string; tenantId: string; file: string },
  tables: readonly ArchivedTable[],
): Promise<Record<string, { rows: number }>> {
  const columns = new Map<ArchivedTable, Column[]>();
  for (const table of tables) {
    const all = await columnsOf(db, table.name);
    columns.set(
      table,
      all.filter(({ name }) => !table.without?.includes(name)),
    );
  }
  const head: ArchiveHead = {
    format: 'canvass-tenant',
    formatVersion: 1,
    service,
    tenantId,
    tables: Object.fromEntries([...columns].map(([{ name }, own]) => [name, own.map((one) => one.name)])),
  };
  const counts: Record<string, { rows: number }> = {};
  // People are in it: for its owner only, and never over an archive that is there.
  const target = await open(file, 'wx', 0o600);
  try {
    await target.write(`${JSON.stringify(head)}\n`);
    await db.withClient(async (client) => {
      await client.query('begin isolation level repeatable read read only');
      try {
        for (const [table, own] of columns) {
          await client.query(`declare archive no scroll cursor for ${selectRows(table, own)}`, [tenantId]);
          counts[table.name] = { rows: 0 };
          for (let rows: { row: string }[] = []; ;) {
            ({ rows } = await client.query<{ row: string }>(`fetch forward ${batch} from archive`));
            if (rows.length === 0) break;
            counts[table.name]!.rows += rows.length;
            await target.write(rows.map(({ row }) => lineOf(table.name, row)).join(''));
          }
          await client.query('close archive');
        }
      } finally {
        await client.query('rollback');
      }
    });
    await target.sync();
  } finally {
    await target.close();
  }
  return counts;
}

/** Columns of the type `json` have line breaks as they came; outside of texts they mean nothing. */
const lineOf = (table: string, row: string): string =>
  `{"table":"${table}","row":${row.replaceAll(/[\r\n]+/g, ' ')}}\n`;
