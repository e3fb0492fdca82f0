import { statement, type Queryable } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import type { Difference } from '../items';
import type { Fault, FaultCode } from './faults';
import type { FileFormat } from './csv-dialect';

export const importStates = ['receiving', 'ready', 'rejected', 'applied'] as const;
export type ImportState = (typeof importStates)[number];

export interface ImportKey {
  tenantId: string;
  listId: string;
  id: string;
}

/** An import whose items are staged. */
export interface ImportRow {
  id: string;
  state: ImportState;
  format: string;
  /** The version of the items. */
  version: string;
  /** The version of the list that it was merged with; null: it replaces all items. */
  mergedWith: string | null;
  defaultLocale: string;
  availableLocales: string[];
  ensureLocales: string[];
  bytes: number;
  rows: number;
  faults: number;
  faultsByCode: Partial<Record<FaultCode, number>>;
  isWhole: boolean;
  file: FileFormat | null;
  difference: Difference | null;
  /** The revision of the list with which the items were compared; after `apply` the revision that it got. */
  revision: string | null;
  createdBy: Actor | null;
  createdAt: Date;
  expiresAt: Date;
}

const columns = `id, state, format, version, merged_with as "mergedWith", default_locale as "defaultLocale",
  available_locales as "availableLocales", ensure_locales as "ensureLocales", bytes::float8 as bytes, rows, faults,
  faults_by_code as "faultsByCode", is_whole as "isWhole", file, difference, revision, created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt"`;
const key = 'tenant_id = $tenantId and list_id = $listId and id = $id';

export const insertImport = statement<
  {
    tenantId: string;
    listId: string;
    version: string;
    mergedWith: string | null;
    format: string;
    defaultLocale: string;
    availableLocales: readonly string[];
    ensureLocales: readonly string[];
    createdBy: string | null;
  },
  { id: string }
>(
  'imports_insert',
  `insert into list_imports (tenant_id, list_id, version, merged_with, format, default_locale, available_locales,
     ensure_locales, created_by, expires_at)
   values ($tenantId, $listId, $version, $mergedWith, $format, $defaultLocale, $availableLocales, $ensureLocales,
     $createdBy::json, now() + interval '1 hour')
   returning id`,
);

/** Saves the progress; no row if it was cancelled. What a crash leaves expires an hour after the last one. */
export const saveProgress = statement<
  ImportKey & { bytes: number; rows: number; faults: number },
  { id: string }
>(
  'imports_save_progress',
  `update list_imports set bytes = $bytes, rows = $rows, faults = $faults, expires_at = now() + interval '1 hour'
   where ${key} and state = 'receiving' returning id`,
);

/** Saves the end. No row if the import was cancelled. */
export const saveEnd = statement<
  ImportKey & {
    state: ImportState;
    bytes: number;
    rows: number;
    faults: number;
    faultsByCode: string;
    version: string;
    isWhole: boolean;
    file: string | null;
    difference: string | null;
    revision: string | null;
    hours: number;
  },
  { id: string }
>(
  'imports_save_end',
  `update list_imports set state = $state, bytes = $bytes, rows = $rows, faults = $faults,
     faults_by_code = $faultsByCode::json, version = $version, is_whole = $isWhole, file = $file::json, difference = $difference::json,
     revision = $revision, expires_at = now() + make_interval(hours => $hours)
   where ${key} and state = 'receiving' returning id`,
);

/** Marks the import as applied. No row unless it was ready. */
export const markApplied = statement<ImportKey & { difference: string; revision: string }, { id: string }>(
  'imports_mark_applied',
  `update list_imports set state = 'applied', difference = $difference::json, revision = $revision
   where ${key} and state = 'ready' returning id`,
);

export const findImport = statement<ImportKey, ImportRow>(
  'imports_find',
  `select ${columns} from list_imports where ${key}`,
);

/** The imports of a list, for pages. */
export const importsOf = statement<{ tenantId: string; listId: string }, ImportRow>(
  'imports_list',
  `select ${columns} from list_imports where tenant_id = $tenantId and list_id = $listId`,
);

export const deleteImport = statement<ImportKey>('imports_delete', `delete from list_imports where ${key}`);

/** A few, because their errors are deleted with them. */
export const deleteExpired = statement<void, { id: string }>(
  'imports_delete_expired',
  `delete from list_imports where (tenant_id, list_id, id) in (
     select tenant_id, list_id, id from list_imports where expires_at < now() order by expires_at limit 10
     for update skip locked)
   returning id`,
);

const insertFaultRows = statement<
  ImportKey & {
    first: number;
    lines: readonly (number | null)[];
    columns: readonly (number | null)[];
    fields: readonly (string | null)[];
    codes: readonly string[];
    messages: readonly string[];
  }
>(
  'imports_insert_faults',
  `insert into list_import_faults (tenant_id, list_id, import_id, id, line, cell, field, code, message)
   select $tenantId, $listId, $id, $first::int + f.n - 1, f.line, f.cell, f.field, f.code, f.message
   from unnest($lines::int[], $columns::int[], $fields::text[], $codes::text[], $messages::text[])
     with ordinality f (line, cell, field, code, message, n)`,
);

/** Stores errors. `first` is the number of those before them. */
export async function insertFaults(
  db: Queryable,
  { tenantId, listId, id }: ImportKey,
  first: number,
  faults: readonly Fault[],
): Promise<void> {
  await db.query(
    insertFaultRows({
      tenantId,
      listId,
      id,
      first: first + 1,
      lines: faults.map(({ line }) => line),
      columns: faults.map(({ column }) => column),
      fields: faults.map(({ field }) => field?.replaceAll('\0', '\ufffd') ?? null),
      codes: faults.map(({ code }) => code),
      messages: faults.map(({ message }) => message),
    }),
  );
}

interface FaultFilter extends ImportKey {
  /** Null does not filter. */
  code: string | null;
}

/** The errors of an import, for pages. */
export const faultsOf = statement<FaultFilter, Fault & { id: string }>(
  'imports_faults',
  `select id, line, cell as "column", field, code, message from list_import_faults
   where tenant_id = $tenantId and list_id = $listId and import_id = $id and ($code::text is null or code = $code)`,
);
