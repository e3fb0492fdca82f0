import { Problem } from '@canvass/errors';
import { currentContext } from '@canvass/service-kit';
import { findList, lockList, type ListRef, type LocaleCatalog } from '../catalog';
import { beginStaged, dropStaged, keepStaged, maxWriteMs, type ItemsVersion } from '../items';
import { countImports } from '../quotas';
import type { FileFormat } from './csv-dialect';
import { FaultList } from './faults';
import type { ImportDeps } from './import-list';
import { assertNotCancelled, createProgress, type ImportProgress } from './import-progress';
import { extendedCatalogue, itemsOf, stageItems, type Source } from './import-source';
import { ItemRules, type FileItem, type ImportMode } from './item-rules';
import { mergeItems } from './merge-items';
import { deleteImport, insertImport, saveEnd, type ImportKey } from './imports.sql';
import { differenceOf } from './put-in-force';
import { readImport, type ImportView } from './read-import';

/** Most errors that are kept of an import. Reading stops there. */
const maxFaults = 100_000;

export interface StageDeps extends ImportDeps {
  /** Hours in which a staged import can be applied. */
  stagedHours: number;
}

export interface StageRequest {
  source: Source;
  mode: ImportMode;
  /** Bytes of the source so far. */
  bytes(): number;
  ensureLocales: readonly string[];
}

/** An import whose file is being read. */
interface Begun {
  key: ImportKey;
  mode: ImportMode;
  to: ItemsVersion;
  /** The items of the list that those of the file are merged with; null for none. */
  base: string | null;
  catalogue: LocaleCatalog;
}

/**
 * Reads and checks a file, and writes its items to a version that is not in force. The progress can be read
 * meanwhile. Of a file with errors all errors are kept, and no items.
 *
 * @returns the import, `ready` or `rejected`
 * @throws {Problem} `not_found`; `revision_mismatch`; `quota_exceeded`; `conflict` if it was cancelled, or
 * for a merge if the items of the list were changed
 */
export async function stageImport(deps: StageDeps, ref: ListRef, request: StageRequest): Promise<ImportView> {
  const begun = await begin(deps, ref, request);
  const { key } = begun;
  let { to } = begun;
  let isReady = false;
  try {
    const faults = new FaultList(maxFaults);
    const progress = createProgress(deps.db, key, faults, request.bytes);
    const found = await read(deps, request.source, begun, { faults, progress });
    to = found.to;
    await finish(deps, begun, { ...found, progress });
    isReady = found.rows !== null;
    return await readImport(deps.db, key);
  } catch (error) {
    await deps.db.query(deleteImport(key));
    throw error;
  } finally {
    if (!isReady) {
      await dropStaged(deps.db, to).catch((error: unknown) =>
        deps.onWarning(error, 'failed to discard the items of an import; they are deleted in an hour'),
      );
      deps.wakeCleaner();
    }
  }
}

const begin = (
  { db, quotas }: StageDeps,
  ref: ListRef,
  { source: { format }, mode, ensureLocales }: StageRequest,
): Promise<Begun> =>
  db.transaction(async (tx) => {
    const row = await lockList(tx, ref);
    const catalogue = extendedCatalogue(row, ensureLocales);
    const list = { tenantId: ref.tenantId, listId: ref.id };
    const to = await beginStaged(tx, list);
    const base = mode === 'merge' ? row.items_version : null;
    const actor = currentContext()?.actor;
    const [made] = await tx.query(
      insertImport({
        ...list,
        ...catalogue,
        version: to.version,
        mergedWith: base,
        format,
        ensureLocales,
        createdBy: actor === undefined ? null : JSON.stringify(actor),
      }),
    );
    const { tenantId } = ref;
    await quotas.assertRoom(tx, tenantId, 'stagedImports', countImports({ tenantId }), 1);
    return { key: { ...list, id: made!.id }, mode, to, base, catalogue };
  });

interface ReadFile {
  /** Items; null if the file has errors. */
  rows: number | null;
  /** The version that the list would get. */
  to: ItemsVersion;
  /** Whether it was read to its end. */
  isWhole: boolean;
  file: FileFormat | null;
}

async function read(
  deps: StageDeps,
  source: Source,
  { to, base, mode, catalogue }: Begun,
  { faults, progress }: { faults: FaultList; progress: ImportProgress },
): Promise<ReadFile> {
  let isWhole = false;
  async function* toTheEnd(batches: AsyncIterable<FileItem[]>): AsyncGenerator<FileItem[]> {
    yield* batches;
    isWhole = true;
  }
  const { batches, file } = itemsOf(source, catalogue, new ItemRules(deps.limits, faults, mode), faults);
  try {
    const rows = await stageItems(deps.db, to, { batches: toTheEnd(batches), faults }, progress.note);
    const made = base === null ? to : await mergeItems(deps, to, base, faults);
    return { rows, to: made, isWhole, file };
  } catch (error) {
    if (!(error instanceof Problem) || error.errorCode !== 'import_rejected') throw error;
    return { rows: null, to, isWhole, file };
  }
}

/** Compares the items with the current ones and ends the import. */
async function finish(
  { db, stagedHours }: StageDeps,
  { key }: Begun,
  { rows, to, isWhole, file, progress }: ReadFile & { progress: ImportProgress },
): Promise<void> {
  await progress.flush();
  await db.transaction(async (tx) => {
    await tx.limitStatements(maxWriteMs);
    const list = await findList(tx, key.tenantId, key.listId);
    const difference = rows === null ? null : await differenceOf(tx, list, { to, rows });
    const end = {
      ...key,
      ...progress.totals(),
      ...(rows !== null && { rows }),
      state: rows === null ? ('rejected' as const) : ('ready' as const),
      version: to.version,
      isWhole,
      file: file && JSON.stringify(file),
      difference: difference && JSON.stringify(difference),
      revision: difference && list.revision,
      hours: stagedHours,
    };
    if (rows !== null) await keepStaged(tx, to, stagedHours);
    assertNotCancelled(await tx.query(saveEnd(end)));
  });
}
