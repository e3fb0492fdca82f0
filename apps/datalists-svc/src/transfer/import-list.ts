import type { DataListItem, DataListView } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import { within, type Database } from '@canvass/postgres';
import {
  assertRevision,
  findList,
  localesLimit,
  localesOf,
  lockList,
  viewOf,
  withLocales,
  type ListRef,
  type ListRow,
  type LocaleCatalog,
} from '../catalog';
import {
  adoptStaged,
  beginStaged,
  currentItems,
  dropStaged,
  linesOf,
  longestWriteMs,
  switchItems,
  writeStaged,
  type ItemsVersion,
} from '../items';
import { countItems, type ListQuotas } from '../quotas';
import type { ItemSearch } from '../search';
import { csvItems } from './csv-items';
import { countDifference, sampleDifference, type Difference, type DifferenceSample } from './difference.sql';
import { FaultList } from './faults';
import { ItemRules, type ItemLimits } from './item-rules';
import { jsonItems } from './json-items';
import { ndjsonItems } from './ndjson-items';

type Pieces = AsyncIterable<string> | Iterable<string>;

/** Parsed JSON items, or text in pieces that can be read once. */
export type Source =
  { format: 'json'; items: readonly unknown[] } | { format: 'csv' | 'ndjson'; open(): Pieces };

export interface ImportRequest {
  source: Source;
  ensureLocales: readonly string[];
  dryRun: boolean;
}

export interface ImportReport extends Difference {
  rows: number;
  durationMs: number;
}

export type ImportAnswer = DataListView & { import: ImportReport; difference?: DifferenceSample };

export interface ImportDeps {
  db: Database;
  quotas: ListQuotas;
  limits: ItemLimits & { keptVersions: number };
  prepareSearch: ItemSearch['prepare'];
  /**
   * Starts long work. Await the returned function after each small piece of the upload, to yield to requests.
   */
  yieldToRequests(): () => Promise<void>;
  /** Deletes the items of imports that failed and of dry runs. */
  wakeCleaner(): void;
  onWarning(error: unknown, message: string): void;
}

/**
 * Replaces all items of a list, or changes nothing. The items are written to a new version while they arrive,
 * in many short transactions, so a slow upload holds neither a transaction nor a connection. The version is
 * not visible until the list is switched to it. The list is locked only for that switch, so an upload delays
 * neither readers nor other changes. A version that is never put in force is deleted by the cleaner.
 *
 * @throws {Problem} `import_rejected` with up to 100 errors; `not_found`; `revision_mismatch`; `conflict` if
 * the locales of the list changed during the upload; `quota_exceeded`
 */
export async function importList(
  deps: ImportDeps,
  ref: ListRef,
  request: ImportRequest,
): Promise<ImportAnswer> {
  const { db } = deps;
  const started = performance.now();
  const row = await findList(db, ref.tenantId, ref.id);
  assertRevision(ref, row);
  const catalogue = extendedCatalogue(row, request.ensureLocales);
  const to = await beginStaged(db, { tenantId: ref.tenantId, listId: ref.id });
  let isInForce = false;
  try {
    const items = itemsOf(request.source, catalogue, deps.limits);
    const rows = await stageItems(db, to, items, deps.yieldToRequests());
    const staged = { to, rows, catalogue };
    const { view, difference, sample } = request.dryRun
      ? await compare(db, ref, staged)
      : await putInForce(deps, ref, request, staged);
    isInForce = !request.dryRun;
    const durationMs = Math.round(performance.now() - started);
    const answer = { ...view, import: { rows, ...difference, durationMs } };
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

/** The items of an import, written but not in force. */
interface Staged {
  to: ItemsVersion;
  rows: number;
  /** The locales that the labels were checked against. */
  catalogue: LocaleCatalog;
}

interface Compared {
  view: DataListView;
  difference: Difference;
  /** Of a dry run. */
  sample?: DifferenceSample;
}

/** Compares staged items with the current ones. */
function compare(db: Database, ref: ListRef, { to, rows }: Staged): Promise<Compared> {
  return db.transaction(async (tx) => {
    await tx.limitStatements(longestWriteMs);
    const list = await findList(tx, ref.tenantId, ref.id);
    const difference = await countDifference(tx, list, to.version, rows);
    const sample = await sampleDifference(tx, currentItems(list), to.version);
    return { view: viewOf(list), difference, sample };
  });
}

/**
 * Makes staged items the items of the list. The comparison takes long, so it runs before the list is locked.
 */
async function putInForce(
  { db, quotas, limits, prepareSearch, onWarning }: ImportDeps,
  ref: ListRef,
  request: ImportRequest,
  { to, rows, catalogue }: Staged,
): Promise<Compared> {
  let loadSearch = () => Promise.resolve();
  const result = await db.transaction(async (tx): Promise<Compared> => {
    await tx.limitStatements(longestWriteMs);
    const before = await findList(tx, ref.tenantId, ref.id);
    const compared = await countDifference(tx, before, to.version, rows);
    loadSearch = await prepareSearch(within(tx), currentItems(before), { ...to, count: rows });

    const list = await lockList(tx, ref);
    const available = extendedCatalogue(list, request.ensureLocales).availableLocales;
    if (!covers(list, available, catalogue))
      throw new Problem('conflict', { detail: 'The locales of the list were changed during the import.' });
    const isUnchanged = list.items_version === before.items_version;
    const difference = isUnchanged ? compared : await countDifference(tx, list, to.version, rows);
    await adoptStaged(tx, to);
    const values = { available_locales: available, items_count: rows, items_version: to.version };
    const after = await switchItems(tx, ref, list, limits.keptVersions, { values, cause: 'imported' });
    const { tenantId } = ref;
    await quotas.assertRoom(tx, tenantId, 'listItems', countItems({ tenantId }), rows - list.items_count);
    return { view: viewOf(after), difference };
  });
  await loadSearch().catch((error: unknown) =>
    onWarning(error, 'failed to load search data; the next search will load it'),
  );
  return result;
}

/** Whether labels that were checked against `catalogue` fit a list with the locales `available`. */
const covers = (list: ListRow, available: readonly string[], catalogue: LocaleCatalog): boolean =>
  list.default_locale === catalogue.defaultLocale &&
  catalogue.availableLocales.every((locale) => available.includes(locale));

/** @throws {Problem} `import_rejected` if the list would have too many locales */
function extendedCatalogue(
  row: ListRow,
  ensureLocales: readonly string[],
): { defaultLocale: string; availableLocales: string[] } {
  const availableLocales = withLocales(row.available_locales, ensureLocales);
  if (availableLocales.length > localesLimit) {
    const message = `A list has at most ${localesLimit} locales.`;
    new FaultList().stop({ line: null, column: null, field: 'ensureLocales', message });
  }
  return { ...localesOf(row), availableLocales };
}

interface Items {
  batches: AsyncIterable<DataListItem[]>;
  /** Totals of the batches read so far. */
  faults: FaultList;
}

function itemsOf(source: Source, list: LocaleCatalog, limits: ItemLimits): Items {
  const faults = new FaultList();
  const rules = new ItemRules(limits, faults);
  if (source.format === 'json') return { batches: jsonItems(source.items, list, rules, faults), faults };
  const read = source.format === 'csv' ? csvItems : ndjsonItems;
  return { batches: read(source.open(), list, rules, faults), faults };
}

/** Bytes of COPY text that are written at a time. */
const pieceBytes = 4 * 1024 * 1024;
/** Longest time between two writes while items arrive, in milliseconds: well below the grace period. */
const longestPauseMs = 60_000;

/**
 * Writes items until the first error. Then it only reads on to find other errors. One piece is written while
 * the next one is read.
 *
 * @throws {Problem} `import_rejected`
 */
async function stageItems(
  db: Database,
  to: ItemsVersion,
  { batches, faults }: Items,
  yieldToRequests: () => Promise<void>,
): Promise<number> {
  let rows = 0;
  let lines: Buffer[] = [];
  let bytes = 0;
  let writtenAt = performance.now();
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      if (faults.faults.length === 0) {
        const text = linesOf(to, rows, batch);
        lines.push(text);
        bytes += text.length;
      }
      rows += batch.length;
      if (bytes >= pieceBytes || (bytes > 0 && performance.now() - writtenAt > longestPauseMs)) {
        await writing;
        writing = writeStaged(db, to, lines);
        writing.catch(() => undefined); // awaited with the next piece
        [lines, bytes, writtenAt] = [[], 0, performance.now()];
      }
      await yieldToRequests();
    }
    faults.throwIfAny();
  } finally {
    await writing;
  }
  if (bytes > 0) await writeStaged(db, to, lines);
  return rows;
}
