import type { DataListItem } from '@canvass/contracts';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import { excelText, workbookOf, workbookType, type Separator } from '@canvass/workbooks';
import Papa from 'papaparse';
import { labelKeysOf, localesOf, pickLabels, type ListRow } from '../catalog';

export type ExportFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';
/** The choice for CSV whether a `'` is put before what a spreadsheet would run. */
export type Formulas = 'keep' | 'escape';

export interface ExportOptions {
  format: ExportFormat;
  formulas: Formulas;
  /** The three are for CSV. */
  bom: boolean;
  separator: Separator;
  idsAsText: boolean;
}

/** A sheet cannot have the name of each list. */
const sheetName = 'Items';

const writers = {
  csv: { type: 'text/csv; charset=utf-8', write: csvText },
  json: { type: 'application/json; charset=utf-8', write: jsonText },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', write: ndjsonText },
  xlsx: { type: workbookType, write: workbook },
} as const;

/**
 * All items as a file, in the order of their import. CSV has the columns `value,default,<locale>...` in the
 * order of the list's locales, CRLF, and quotes of RFC 4180; without options commas and no byte order mark.
 * Importing the file changes nothing if formulas are kept and ids are not text.
 */
export function exportAnswer(
  row: ListRow,
  items: AsyncIterable<DataListItem[]>,
  options: ExportOptions,
): Answer {
  const keys = labelKeysOf(localesOf(row));
  const { format } = options;
  const { type, write } = writers[format];
  return streamed(type, streamText(write(items, keys, options)), {
    headers: { 'Content-Disposition': attachment(row.name, format) },
  });
}

async function* csvText(
  items: AsyncIterable<DataListItem[]>,
  keys: string[],
  { formulas, bom, separator, idsAsText }: ExportOptions,
): AsyncGenerator<string> {
  const csvLines = (rows: string[][]) =>
    `${Papa.unparse(rows, { delimiter: separator, newline: '\r\n', escapeFormulae: false })}\r\n`;
  const cellOf = (text: string) => {
    const safe = formulas === 'keep' ? text : text.replaceAll(formula, "'");
    return idsAsText ? excelText(safe) : safe;
  };
  const isPlain = formulas === 'keep' && !idsAsText;
  yield (bom ? '\ufeff' : '') + csvLines([['value', ...keys]]);
  for await (const batch of items) {
    const rows = batch.map((item) => cellsOf(item, keys));
    yield csvLines(isPlain ? rows : rows.map((cells) => cells.map(cellOf)));
  }
}

const cellsOf = ({ value, labels }: DataListItem, keys: string[]): string[] => [
  value,
  ...keys.map((key) => labels[key] ?? ''),
];

function workbook(items: AsyncIterable<DataListItem[]>, keys: string[]): AsyncGenerator<Buffer> {
  async function* batches() {
    for await (const batch of items) yield batch.map((item) => cellsOf(item, keys));
  }
  return workbookOf(sheetName, ['value', ...keys], batches());
}

/**
 * The place before a character with which a spreadsheet might begin a formula, also in full width and after
 * the separators of other spreadsheets. Exports of submissions have the same rule.
 */
const formula = /^(?=[=+\-@＝＋－＠\p{Cc}])|(?<=[;\t\r\n])(?=[=@＝＋－＠]|[+-]\S)/gu;

/** An array of `{ value, labels }`, one item per line. */
async function* jsonText(items: AsyncIterable<DataListItem[]>, keys: string[]): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of items) {
    const lines = batch.map((item) => JSON.stringify(pickLabels(item, keys)));
    yield separator + lines.join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** One `{ value, labels }` per line. */
async function* ndjsonText(items: AsyncIterable<DataListItem[]>, keys: string[]): AsyncGenerator<string> {
  for await (const batch of items) {
    yield batch.map((item) => `${JSON.stringify(pickLabels(item, keys))}\n`).join('');
  }
}
