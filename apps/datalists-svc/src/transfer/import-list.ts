import type { DataListView } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { assertRevision, findList, viewOf, type ListRef } from '../catalog';
import { beginStaged, currentItems, dropStaged, maxWriteMs, type Difference } from '../items';
import { sampleDifference, type DifferenceSample } from './difference-sample';
import type { FileFormat } from './csv-dialect';
import { FaultList } from './faults';
import { extendedCatalogue, itemsOf, stageItems, type Source } from './import-source';
import { ItemRules, type ImportMode, type ItemLimits } from './item-rules';
import { mergeItems } from './merge-items';
import { differenceOf, putInForce, type Staged, type SwitchDeps } from './put-in-force';

export interface ImportRequest {
  source: Source;
  mode: ImportMode;
  ensureLocales: readonly string[];
  dryRun: boolean;
}

export interface ImportReport extends Difference {
  rows: number;
  durationMs: number;
  file: FileFormat | null;
}

export type ImportAnswer = DataListView & { import: ImportReport; difference?: DifferenceSample };

export interface ImportDeps extends SwitchDeps {
  limits: ItemLimits & { keptVersions: number };
  onWarning(error: unknown, message: string): void;
  /** Deletes the items of imports that failed and of dry runs. */
  wakeCleaner(): void;
}

/**
 * Replaces all items of a list or merges others with them, or changes nothing. The items are written to a new
 * version while they arrive, in many short transactions, so a slow upload holds neither a transaction nor a
 * connection. The version is not visible until the list is switched to it. The list is locked only for that
 * switch, so an upload delays neither readers nor other changes. A version that is never put in force is
 * deleted by the cleaner.
 *
 * @throws {Problem} `import_rejected` with up to 100 errors; `not_found`; `revision_mismatch`; `conflict` if
 * the locales of the list changed during the upload, or for a merge the items; `quota_exceeded`
 */
export async function importList(
  deps: ImportDeps,
  ref: ListRef,
  { source, mode, ensureLocales, dryRun }: ImportRequest,
): Promise<ImportAnswer> {
  const { db } = deps;
  const started = performance.now();
  const row = await findList(db, ref.tenantId, ref.id);
  assertRevision(ref, row);
  const catalogue = extendedCatalogue(row, ensureLocales);
  let to = await beginStaged(db, { tenantId: ref.tenantId, listId: ref.id });
  let isInForce = false;
  try {
    const faults = new FaultList();
    const items = itemsOf(source, catalogue, new ItemRules(deps.limits, faults, mode), faults);
    const rows = await stageItems(db, to, items);
    const base = mode === 'merge' ? row.items_version : null;
    if (base !== null) to = await mergeItems(deps, to, base, faults);
    const staged = { to, rows, base, catalogue, ensureLocales };
    const { view, difference, sample } = dryRun
      ? await compare(db, ref, staged)
      : { ...(await putInForce(deps, ref, staged)), sample: undefined };
    isInForce = !dryRun;
    const durationMs = Math.round(performance.now() - started);
    const answer = { ...view, import: { rows, ...difference, durationMs, file: items.file } };
    return sample === undefined ? answer : { ...answer, difference: sample };
  } finally {
    if (!isInForce) {
      await dropStaged(db, to).catch((error: unknown) =>
        deps.onWarning(error, 'failed to discard the items of an import; they are deleted in an hour'),
      );
      deps.wakeCleaner();
    }
  }
}

interface Compared {
  view: DataListView;
  difference: Difference;
  sample: DifferenceSample;
}

/** Compares staged items with the current ones. */
function compare(db: Database, ref: ListRef, staged: Staged): Promise<Compared> {
  return db.transaction(async (tx) => {
    await tx.limitStatements(maxWriteMs);
    const list = await findList(tx, ref.tenantId, ref.id);
    const difference = await differenceOf(tx, list, staged);
    const sample = await sampleDifference(tx, currentItems(list), staged.to.version);
    return { view: viewOf(list), difference, sample };
  });
}
