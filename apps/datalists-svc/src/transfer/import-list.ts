import type { DataListItem, DataListView } from '@canvass/contracts';
import type { Database, Tx } from '@canvass/postgres';
import {
  changeList,
  localesLimit,
  localesOf,
  lockList,
  viewOf,
  withLocales,
  type ListRef,
  type ListRow,
} from '../catalog';
import { allocateVersion, currentItems, discardItems, insertItemBatch } from '../items';
import { csvItems } from './csv-items';
import { countDifference, sampleDifference, type Difference, type DifferenceSample } from './difference.sql';
import { FaultList } from './faults';
import { ItemRules, type ItemLimits } from './item-rules';
import { jsonItems } from './json-items';

/** What is imported: parsed JSON items, or CSV text in pieces. */
export type Source =
  | { format: 'json'; items: readonly unknown[] }
  | { format: 'csv'; open(): AsyncIterable<string> | Iterable<string> };

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

/**
 * Replaces all items of a list, or changes nothing. The items become a new version that nobody sees until the
 * transaction commits; searches keep answering from the old one and are not held up.
 *
 * @throws {Problem} `import_rejected` with all faults up to 100; `not_found`; `revision_mismatch`
 */
export async function importList(
  db: Database,
  limits: ItemLimits,
  ref: ListRef,
  request: ImportRequest,
): Promise<ImportAnswer> {
  const started = performance.now();
  try {
    return await db.transaction(async (tx) => {
      const answer = await replaceItems(tx, limits, ref, request, started);
      if (request.dryRun) throw new DryRun(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.answer;
    throw error;
  }
}

/** Thrown to roll a dry run back. */
class DryRun extends Error {
  constructor(readonly answer: ImportAnswer) {
    super('dry run');
  }
}

async function replaceItems(
  tx: Tx,
  limits: ItemLimits,
  ref: ListRef,
  request: ImportRequest,
  started: number,
): Promise<ImportAnswer> {
  const row = await lockList(tx, ref);
  const faults = new FaultList();
  const available = withLocales(row.available_locales, request.ensureLocales);
  if (available.length > localesLimit) {
    const message = `A list has at most ${localesLimit} locales.`;
    faults.stop({ line: null, column: null, field: 'ensureLocales', message });
  }
  const list = { ...localesOf(row), availableLocales: available };
  const version = await allocateVersion(tx);
  const rules = new ItemRules(limits, faults);
  const rows = await store(tx, row, version, itemsOf(request.source, list, rules, faults), faults);
  const difference = await countDifference(tx, currentItems(row), version);
  const sample = request.dryRun ? await sampleDifference(tx, currentItems(row), version) : undefined;
  await discardItems(tx, currentItems(row));
  const values = { available_locales: available, items_count: rows, items_version: version };
  const changed = request.dryRun ? row : await changeList(tx, ref, row, values, 'datalist.imported');
  return {
    ...viewOf(changed),
    import: { rows, ...difference, durationMs: Math.round(performance.now() - started) },
    ...(sample === undefined ? {} : { difference: sample }),
  };
}

function itemsOf(
  source: Source,
  list: { defaultLocale: string; availableLocales: string[] },
  rules: ItemRules,
  faults: FaultList,
): AsyncIterable<DataListItem[]> | Iterable<DataListItem[]> {
  return source.format === 'json'
    ? jsonItems(source.items, list, rules, faults)
    : csvItems(source.open(), list, rules, faults);
}

/** Writes the sound items while there is no fault; after the first fault it only reads on, to find the others. */
async function store(
  tx: Tx,
  row: ListRow,
  version: string,
  batches: AsyncIterable<DataListItem[]> | Iterable<DataListItem[]>,
  faults: FaultList,
): Promise<number> {
  const to = { ...currentItems(row), version };
  let rows = 0;
  for await (const batch of batches) {
    if (faults.faults.length === 0) await insertItemBatch(tx, to, rows, batch);
    rows += batch.length;
  }
  faults.throwIfAny();
  return rows;
}
