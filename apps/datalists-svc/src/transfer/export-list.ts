import type { DataListItem } from '@canvass/contracts';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import Papa from 'papaparse';
import { labelKeysOf, localesOf, pickLabels, type ListRow } from '../catalog';

export type ExportFormat = 'csv' | 'json' | 'ndjson';

const writers = {
  csv: { type: 'text/csv; charset=utf-8', write: csvText },
  json: { type: 'application/json; charset=utf-8', write: jsonText },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', write: ndjsonText },
} as const;

/**
 * All items as a file, in the order of their import. CSV has the columns `value,default,<locale>...` in the
 * order of the list's locales, CRLF, no byte order mark, and quotes of RFC 4180. Importing the file changes
 * nothing.
 */
export function exportAnswer(
  row: ListRow,
  items: AsyncIterable<DataListItem[]>,
  format: ExportFormat,
): Answer {
  const keys = labelKeysOf(localesOf(row));
  const { type, write } = writers[format];
  return streamed(type, streamText(write(items, keys)), {
    headers: { 'Content-Disposition': attachment(row.name, format) },
  });
}

async function* csvText(items: AsyncIterable<DataListItem[]>, keys: string[]): AsyncGenerator<string> {
  yield csvLines([['value', ...keys]]);
  for await (const batch of items) {
    yield csvLines(batch.map(({ value, labels }) => [value, ...keys.map((key) => labels[key] ?? '')]));
  }
}

function csvLines(rows: string[][]): string {
  return `${Papa.unparse(rows, { delimiter: ',', newline: '\r\n', escapeFormulae: false })}\r\n`;
}

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
