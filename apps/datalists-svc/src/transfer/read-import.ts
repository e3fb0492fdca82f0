import { notFound, Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { newestFirst, readKeyPage, type KeyOrder } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { findList } from '../catalog';
import { currentItems, readDifference, type DifferencePage, type DifferenceQuery } from '../items';
import type { Fault, FaultCode } from './faults';
import type { ImportMode } from './item-rules';
import { assertBase } from './merge-items';
import { faultsOf, findImport, importsOf, type ImportKey, type ImportRow } from './imports.sql';

/** A staged import in the API. */
export type ImportView = Omit<
  ImportRow,
  'version' | 'mergedWith' | 'defaultLocale' | 'availableLocales' | 'createdAt' | 'expiresAt'
> & { mode: ImportMode; createdAt: string; expiresAt: string };

export const importView = ({
  version: _version,
  mergedWith,
  defaultLocale: _defaultLocale,
  availableLocales: _availableLocales,
  ...row
}: ImportRow): ImportView => ({
  ...row,
  mode: mergedWith === null ? 'replace' : 'merge',
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
  window: KeyQuery,
): Promise<KeyPage<ImportView>> {
  await findList(db, list.tenantId, list.listId);
  return readKeyPage(db, importsOf(list), newestFirst, window, importView);
}

/** The order in which they were found. */
const inFileOrder: KeyOrder = { name: 'id', direction: 'asc' };

/** The errors of an import. @throws {Problem} `not_found`; `validation_failed` for a cursor */
export async function readFaults(
  db: Queryable,
  key: ImportKey,
  { code, ...window }: KeyQuery & { code?: FaultCode },
): Promise<KeyPage<Fault>> {
  await requireImport(db, key);
  return readKeyPage(
    db,
    faultsOf({ ...key, code: code ?? null }),
    inFileOrder,
    window,
    ({ id: _, ...fault }) => fault,
  );
}

/**
 * A page of the difference between the current items and those of the import.
 *
 * @throws {Problem} `not_found`; `conflict` unless the import is ready, and if items that were
 * merged have changed; `validation_failed` for `after`
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
  assertBase(list, row.mergedWith);
  return readDifference(db, currentItems(list), row.version, query);
}
