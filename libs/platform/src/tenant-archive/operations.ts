import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { Operation } from '@canvass/service-kit';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { exportTenant } from './export';
import { importTenant } from './import';
import { readHead } from './read-archive';
import type { ArchivedTable } from './tables';

const folder = {
  about: 'Folder with one file for each service.',
  kind: 'text',
  isRequired: true,
} as const;

/** The commands that move a tenant from one installation to another. `tables`: parents before children. */
export function archiveOperations(
  service: string,
  db: Database,
  tables: readonly ArchivedTable[],
): Operation[] {
  const rowsOf = (tenantId: string, counts: Record<string, object>) =>
    Object.entries(counts).map(([table, numbers]) => ({ service, tenantId, table, ...numbers }));
  const fileIn = (dir: string) => path.join(dir, `${service}.ndjson`);
  return [
    {
      name: 'tenants export',
      about: 'Writes the data of a tenant to a folder, without secrets.',
      options: { tenant: { about: 'Id of the tenant.', kind: 'id', isRequired: true }, folder },
      showsContents: true,
      async run({ tenant: tenantId, folder: dir }) {
        await mkdir(dir!, { recursive: true, mode: 0o700 });
        const file = fileIn(dir!);
        const counts = await reachable(exportTenant(db, { service, tenantId: tenantId!, file }, tables));
        return { rows: rowsOf(tenantId!, counts), say: `Wrote ${file}.` };
      },
    },
    {
      name: 'tenants import',
      about: 'Inserts the data of a tenant from such a folder. It can be repeated.',
      options: {
        folder,
        tenant: { about: 'Id of an existing tenant here; without it the archive makes one.', kind: 'id' },
        administrators: { about: 'How many administrators the archive brings, if any.', kind: 'count' },
      },
      changes: true,
      tenantOf: async ({ folder: dir, tenant }) =>
        tenant ?? (await reachable(readHead(fileIn(dir!), service))).tenantId,
      async run({ folder: dir, tenant: tenantId, administrators = '0' }) {
        const options = { service, file: fileIn(dir!), tenantId, administrators: Number(administrators) };
        const done = await reachable(importTenant(db, options, tables));
        const rows = rowsOf(done.tenantId, done.counts);
        if (done.name === null) return { rows };
        const say = `Imported the tenant ${JSON.stringify(done.name)} with ${done.administrators.length} administrators.`;
        return { rows, say };
      },
    },
  ];
}

/** A file that is there, is not there or may not be read is the operator's to mend. */
async function reachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, path: file } = error as NodeJS.ErrnoException;
    if (file === undefined) throw error;
    const reason = { EEXIST: 'is there already', ENOENT: 'does not exist', EACCES: 'cannot be accessed' };
    throw new Problem('conflict', { detail: `${file} ${reason[code as 'EEXIST'] ?? code}.` });
  }
}
