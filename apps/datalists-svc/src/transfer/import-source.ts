import type { Database } from '@canvass/postgres';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { localesLimit, localesOf, withLocales, type ListRow, type LocaleCatalog } from '../catalog';
import { linesOf, writeStaged, type ItemsVersion } from '../items';
import type { FileFormat } from './csv-dialect';
import { csvItems } from './csv-items';
import { FaultList } from './faults';
import type { FileItem, ItemRules } from './item-rules';
import type { ColumnMap } from './item-table';
import { jsonItems } from './json-items';
import { ndjsonItems } from './ndjson-items';
import { xlsxItems } from './xlsx-items';

type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Parsed JSON items; text in pieces that can be read once, where an error of the encoding ends the reading;
 * or a workbook, of which at most `maxBytes` are unpacked.
 */
export type Source =
  | { format: 'json'; items: readonly unknown[] }
  | { format: 'csv'; columns: ColumnMap; open(faults: FaultList, file: FileFormat): Pieces }
  | { format: 'xlsx'; columns: ColumnMap; maxBytes: number; open(): Promise<Buffer> }
  | { format: 'ndjson'; open(faults: FaultList): Pieces };

export type TableSource = Extract<Source, { format: 'csv' | 'xlsx' }>;

/**
 * The locales of a list with those that an import adds.
 *
 * @throws {Problem} `import_rejected` if the list would have too many locales
 */
export function extendedCatalogue(
  row: ListRow,
  ensureLocales: readonly string[],
): { defaultLocale: string; availableLocales: string[] } {
  const availableLocales = withLocales(row.available_locales, ensureLocales);
  if (availableLocales.length > localesLimit) {
    const message = `A list has at most ${localesLimit} locales.`;
    const place = { line: null, column: null, field: 'ensureLocales' };
    new FaultList().stop({ ...place, code: 'too_many_locales', message });
  }
  return { ...localesOf(row), availableLocales };
}

interface Items {
  batches: AsyncIterable<FileItem[]>;
  /** The faults of the batches read so far. */
  faults: FaultList;
  /** Known once the first line or sheet is read; null for JSON. */
  file: FileFormat | null;
}

/** The valid items of a source in batches, in order. */
export function itemsOf(source: Source, list: LocaleCatalog, rules: ItemRules, faults: FaultList): Items {
  const given = { list, rules, faults };
  if (source.format === 'json') return { batches: jsonItems(source.items, given), faults, file: null };
  if (source.format === 'ndjson')
    return { batches: ndjsonItems(source.open(faults), given), faults, file: null };
  const context = { ...given, names: source.columns };
  if (source.format === 'xlsx') {
    const file: FileFormat = { format: 'xlsx', encoding: null, separator: null, sheet: null };
    const options = { file, maxBytes: source.maxBytes };
    return { batches: xlsxItems(source.open, context, options), faults, file };
  }
  const file: FileFormat = { format: 'csv', encoding: null, separator: ',', sheet: null };
  return { batches: csvItems(source.open(faults, file), context, file), faults, file };
}

/** Bytes of COPY text that are written at a time. */
const pieceBytes = 4 * 1024 * 1024;
/** Longest time between two writes while items arrive, in milliseconds: well below the grace period. */
const maxPauseMs = 60_000;

/**
 * Writes items until the first error. Then it only reads on to find other errors. One piece is written while
 * the next one is read.
 *
 * @param afterBatch called with the number of valid items so far
 * @returns the number of items
 * @throws {Problem} `import_rejected`
 */
export async function stageItems(
  db: Database,
  to: ItemsVersion,
  { batches, faults }: Pick<Items, 'batches' | 'faults'>,
  afterBatch: (rows: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let rows = 0;
  let lines: Buffer[] = [];
  let bytes = 0;
  let writtenAt = performance.now();
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      if (faults.count === 0) {
        const text = linesOf(to, rows, batch);
        lines.push(text);
        bytes += text.length;
      }
      rows += batch.length;
      if (bytes >= pieceBytes || (bytes > 0 && performance.now() - writtenAt > maxPauseMs)) {
        await writing;
        writing = writeStaged(db, to, lines);
        writing.catch(() => undefined); // awaited with the next piece
        [lines, bytes, writtenAt] = [[], 0, performance.now()];
      }
      await afterBatch(rows);
      // Other requests get the process after each piece of the upload.
      await nextTurn();
    }
    faults.throwIfAny();
  } finally {
    await writing;
  }
  if (bytes > 0) await writeStaged(db, to, lines);
  return rows;
}
