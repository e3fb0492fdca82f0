import { notFound, Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { newestFirst, readKeyPage, type KeyOrder } from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { findList } from '../catalog';
import { currentItems, readDifference, type DifferencePage, type DifferenceQuery } from '../items';
import type { Fault, FaultCode } from './faults';
import {
  countFaults,
  countOfList,
  faultsOf,
  findImport,
  importsOf,
  pageOfFaults,
  pageOfImports,
  type ImportKey,
  type ImportRow,
} from './imports.sql';

/** A staged import in the API. */
export type ImportView = Omit<
  ImportRow,
  'version' | 'defaultLocale' | 'availableLocales' | 'createdAt' | 'expiresAt'
> & { createdAt: string; expiresAt: string };

export const importView = ({
  version: _version,
  defaultLocale: _defaultLocale,
  availableLocales: _availableLocales,
  ...row
}: ImportRow): ImportView => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

/** @throws {Problem} `not_found` */
export async function requireImport(db: Queryable, key: ImportKey): Promise<ImportRow> {
  const [row] = await db.query(findImport(key));
  if (!row) throw notFound('import', key.id);
  return row;
}

/** @throws {Problem} `not_found` */
export const readImport = async (db: Queryable, key: ImportKey): Promise<ImportView> =>
  importView(await requireImport(db, key));

/** The imports of a list, newest first. @throws {Problem} `not_found`; `validation_failed` for a cursor */
export async function readImports(
  db: Queryable,
  list: { tenantId: string; listId: string },
  { page, pageSize, byKey }: Paging,
): Promise<Page<ImportView> | KeyPage<ImportView>> {
  await findList(db, list.tenantId, list.listId);
  if (byKey !== null) return readKeyPage(db, importsOf(list), newestFirst, byKey, importView);
  const [counted] = await db.query(countOfList(list));
  const rows = await db.query(pageOfImports({ ...list, limit: pageSize, offset: (page - 1) * pageSize }));
  return pageOf(rows.map(importView), counted!.total, { page, pageSize });
}

/** As they were found. */
const inFileOrder: KeyOrder = { name: 'id', direction: 'asc' };

/** The errors of an import. @throws {Problem} `not_found`; `validation_failed` for a cursor */
export async function readFaults(
  db: Queryable,
  key: ImportKey,
  { page, pageSize, byKey, code }: Paging & { code?: FaultCode },
): Promise<Page<Fault> | KeyPage<Fault>> {
  await requireImport(db, key);
  const filter = { ...key, code: code ?? null };
  if (byKey !== null) {
    const viewOf = ({ id: _, ...fault }: Fault & { id: string }) => fault;
    return readKeyPage(db, faultsOf(filter), inFileOrder, byKey, viewOf);
  }
  const [counted] = await db.query(countFaults(filter));
  const window = { limit: pageSize, offset: (page - 1) * pageSize };
  return pageOf(await db.query(pageOfFaults({ ...filter, ...window })), counted!.total, { page, pageSize });
}

/**
 * A page of the difference between the current items and those of the import.
 *
 * @throws {Problem} `not_found`; `conflict` unless the import is ready; `validation_failed` for `after`
 */
export async function readImportDifference(
  db: Database,
  key: ImportKey,
  query: DifferenceQuery,
): Promise<DifferencePage> {
  const row = await requireImport(db, key);
  if (row.state !== 'ready')
    throw new Problem('conflict', { detail: `The import is ${row.state}; it has no difference.` });
  const list = await findList(db, key.tenantId, key.listId);
  return readDifference(db, currentItems(list), row.version, query);
}
