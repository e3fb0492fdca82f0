import type { DataListItem, DataListView } from '@canvass/contracts';
import { Problem } from '@canvass/errors';
import { within, type Database, type Tx } from '@canvass/postgres';
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
import { allocateVersion, currentItems, switchItems, writeItems, type ItemsVersion } from '../items';
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
  limits: ItemLimits & { keptVersions: number };
  prepareSearch: ItemSearch['prepare'];
  /**
   * Starts long work. Await the returned function after each small piece of the upload, to yield to requests.
   */
  yieldToRequests(): () => Promise<void>;
  onWarning(error: unknown, message: string): void;
}

/**
 * Replaces all items of a list, or changes nothing. The items are written to a new version while they arrive,
 * which is invisible until the commit. The list is locked only for the switch at the end, so an upload delays
 * neither readers nor other changes, and a crash leaves nothing behind.
 *
 * @throws {Problem} `import_rejected` with up to 100 errors; `not_found`; `revision_mismatch`; `conflict` if
 * the locales of the list changed during the upload
 */
export async function importList(
  { db, limits, prepareSearch, yieldToRequests, onWarning }: ImportDeps,
  ref: ListRef,
  request: ImportRequest,
): Promise<ImportAnswer> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  const row = await findList(db, ref.tenantId, ref.id);
  assertRevision(ref, row);
  const catalogue = extendedCatalogue(row, request.ensureLocales);
  let attempts = 0;
  let loadSearch = () => Promise.resolve();
  try {
    const answer = await db.transaction(async (tx): Promise<ImportAnswer> => {
      // An upload can be read once. A retry would import an empty list.
      if (++attempts > 1)
        throw new Problem('conflict', { detail: 'The import was interrupted. Send it again.' });
      const version = await allocateVersion(tx);
      const items = itemsOf(request.source, catalogue, limits);
      const rows = await stage(tx, { ...currentItems(row), version }, items, yieldToRequests());
      const before = await findList(tx, ref.tenantId, ref.id);
      const difference = await countDifference(tx, before, version, rows);
      if (request.dryRun) {
        const sample = await sampleDifference(tx, currentItems(before), version);
        const report = { rows, ...difference, durationMs: durationMs() };
        throw new DryRun({ ...viewOf(before), import: report, difference: sample });
      }
      loadSearch = await prepareSearch(within(tx), currentItems(before), {
        ...currentItems(row),
        version,
        count: rows,
      });
      const staged = { version, rows, catalogue, before, difference };
      const { list, counted } = await switchTo(tx, ref, request, limits.keptVersions, staged);
      return { ...viewOf(list), import: { rows, ...counted, durationMs: durationMs() } };
    });
    await loadSearch().catch((error: unknown) =>
      onWarning(error, 'failed to load search data; the next search will load it'),
    );
    return answer;
  } catch (error) {
    if (error instanceof DryRun) return error.answer;
    throw error;
  }
}

/** Thrown to roll back a dry run. */
class DryRun extends Error {
  constructor(readonly answer: ImportAnswer) {
    super('dry run');
  }
}

interface Staged {
  version: string;
  rows: number;
  /** The locales that the labels were checked against. */
  catalogue: LocaleCatalog;
  /** The list that `difference` was computed against. */
  before: ListRow;
  difference: Difference;
}

/** The short part that locks the list: makes the new version the current one. */
async function switchTo(
  tx: Tx,
  ref: ListRef,
  { ensureLocales }: ImportRequest,
  kept: number,
  { version, rows, catalogue, before, difference }: Staged,
): Promise<{ list: ListRow; counted: Difference }> {
  const row = await lockList(tx, ref);
  const available = extendedCatalogue(row, ensureLocales);
  if (
    available.defaultLocale !== catalogue.defaultLocale ||
    !catalogue.availableLocales.every((locale) => available.availableLocales.includes(locale))
  ) {
    throw new Problem('conflict', { detail: 'The locales of the list were changed during the import.' });
  }
  const counted =
    row.items_version === before.items_version ? difference : await countDifference(tx, row, version, rows);
  const values = { available_locales: available.availableLocales, items_count: rows, items_version: version };
  return { list: await switchItems(tx, ref, row, kept, { values, cause: 'imported' }), counted };
}

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

/** Writes items until the first error. Then it only reads on to find other errors. */
async function stage(
  tx: Tx,
  to: ItemsVersion,
  { batches, faults }: Items,
  giveWay: () => Promise<void>,
): Promise<number> {
  let rows = 0;
  async function* sound() {
    for await (const batch of batches) {
      rows += batch.length;
      if (faults.faults.length === 0) yield batch;
      await giveWay();
    }
    faults.throwIfAny();
  }
  await writeItems(tx, to, sound());
  return rows;
}
