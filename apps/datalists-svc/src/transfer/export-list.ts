import type { DataListItem } from '@canvass/contracts';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import Papa from 'papaparse';
import { labelKeysOf, localesOf, pickLabels, type ListRow } from '../catalog';

export type ExportFormat = 'csv' | 'json' | 'ndjson';
/** The choice for CSV whether a `'` is put before what a spreadsheet would run. */
export type Formulas = 'keep' | 'escape';

const writers = {
  csv: { type: 'text/csv; charset=utf-8', write: csvText },
  json: { type: 'application/json; charset=utf-8', write: jsonText },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', write: ndjsonText },
} as const;

/**
 * All items as a file, in the order of their import. CSV has the columns `value,default,<locale>...` in the
 * order of the list's locales, CRLF, no byte order mark, and quotes of RFC 4180. Importing the file changes
 * nothing if formulas are kept.
 */
export function exportAnswer(
  row: ListRow,
  items: AsyncIterable<DataListItem[]>,
  { format, formulas }: { format: ExportFormat; formulas: Formulas },
): Answer {
  const keys = labelKeysOf(localesOf(row));
  const { type, write } = writers[format];
  return streamed(type, streamText(write(items, keys, formulas)), {
    headers: { 'Content-Disposition': attachment(row.name, format) },
  });
}

async function* csvText(
  items: AsyncIterable<DataListItem[]>,
  keys: string[],
  formulas: Formulas,
): AsyncGenerator<string> {
  const lines = formulas === 'keep' ? csvLines : (rows: string[][]) => csvLines(rows.map(escapeFormulas));
  yield csvLines([['value', ...keys]]);
  for await (const batch of items) {
    yield lines(batch.map(({ value, labels }) => [value, ...keys.map((key) => labels[key] ?? '')]));
  }
}

function csvLines(rows: string[][]): string {
  return `${Papa.unparse(rows, { delimiter: ',', newline: '\r\n', escapeFormulae: false })}\r\n`;
}

/**
 * The place before a character with which a spreadsheet might begin a formula, also in full width and after
 * the separators of other spreadsheets. Exports of submissions have the same rule.
 */
const formula = /^(?=[=+\-@＝＋－＠\p{Cc}])|(?<=[;\t\r\n])(?=[=@＝＋－＠]|[+-]\S)/gu;

const escapeFormulas = (cells: string[]): string[] => cells.map((cell) => cell.replaceAll(formula, "'"));

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
