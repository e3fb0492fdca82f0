import type { components } from '@canvass/client';
import { attempt } from '../../attempt';
import { membersOf, stringOf } from '../../json-object';
import { isLanguage } from './known-languages';

/** The beginning of a file to import. The server checks the whole file. */

export type Format = 'csv' | 'xlsx' | 'ndjson' | 'json';

/** A column of a table; its key is null if it must be mapped. */
export type Column = components['schemas']['ImportPreviewColumn'];

export interface Preview {
  format: Format;
  /** Names of the columns; of JSON `value` and the keys of the labels. Null: it cannot be shown. */
  columns: string[] | null;
  rows: string[][];
  /** The columns of a table, and what an import takes them for. */
  found?: readonly Column[];
  /** Returns whether the beginning is UTF-8. */
  isUtf8: boolean;
}

/** Rows that are shown. */
const maxRows = 200;
/** Bytes that are read for them, and of a JSON file, which can only be read as a whole. */
export const headBytes = 256 * 1024;
const maxJsonBytes = 8 * 1024 * 1024;

/** The content types of the formats, as the API takes them. */
export const contentTypes: Record<Format, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

/** The first bytes of an archive, which a workbook is. */
const zip = 'PK\x03\x04';

export async function formatOf(file: File): Promise<Format> {
  if (/\.xlsx$/i.test(file.name) || (await file.slice(0, 4).text()) === zip) return 'xlsx';
  if (/\.(ndjson|jsonl)$/i.test(file.name)) return 'ndjson';
  return /\.json$/i.test(file.name) ? 'json' : 'csv';
}

/** The beginning of a file of items. The server reads that of a table. */
export async function previewOf(file: File): Promise<Preview> {
  const format = await formatOf(file);
  const size = format === 'json' ? maxJsonBytes : headBytes;
  const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
  const isWhole = file.size <= bytes.length;
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '');
  // The last character may be cut.
  const isUtf8 = !(isWhole ? text : text.slice(0, -1)).includes('\ufffd') && !text.includes('\0');
  const items = format === 'ndjson' ? linesOf(text, isWhole) : isWhole ? arrayOf(text) : null;
  return { format, isUtf8, ...itemsPreview(items) };
}

function linesOf(text: string, isWhole: boolean): unknown[] {
  const lines = text.split('\n');
  if (!isWhole) lines.pop();
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, maxRows)
    .map(parsed);
}

function arrayOf(text: string): unknown[] | null {
  const value = parsed(text);
  return Array.isArray(value) ? value.slice(0, maxRows) : null;
}

const parsed = (text: string): unknown => attempt(() => JSON.parse(text) as unknown);

function itemsPreview(items: unknown[] | null): Pick<Preview, 'columns' | 'rows'> {
  if (items === null) return { columns: null, rows: [] };
  const labels = items.map((item) => membersOf(membersOf(item)['labels']));
  const keys = [...new Set(['default', ...labels.flatMap((own) => Object.keys(own))])];
  return {
    columns: ['value', ...keys],
    rows: items.map((item, n) => [
      stringOf(membersOf(item)['value']),
      ...keys.map((key) => stringOf(labels[n]![key])),
    ]),
  };
}

/** Columns of a file of items that are languages which a list does not have. */
export const unknownLocales = (
  columns: readonly string[],
  list: { defaultLocale: string; availableLocales: readonly string[] },
): string[] => {
  const known = ['value', 'default', list.defaultLocale, ...list.availableLocales];
  const names = columns.map((name) => name.trim().toLowerCase());
  return [...new Set(names)].filter((name) => isLanguage(name) && !known.includes(name));
};
