/** The beginning of a file to import. The server checks the whole file. */

export type Format = 'csv' | 'ndjson' | 'json';

export interface Preview {
  format: Format;
  /** Names of the columns; of JSON `value` and the keys of the labels. Null: it cannot be shown. */
  columns: string[] | null;
  rows: string[][];
  /** Returns whether the beginning is UTF-8. */
  isUtf8: boolean;
}

/** Rows that are shown. */
const maxRows = 200;
/** Bytes that are read for them, and of a JSON file, which can only be read as a whole. */
const headBytes = 256 * 1024;
const maxJsonBytes = 8 * 1024 * 1024;

/** The content types of the formats, as the API takes them. */
export const contentTypes: Record<Format, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

function formatOf(name: string): Format {
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  return /\.json$/i.test(name) ? 'json' : 'csv';
}

export async function previewOf(file: File): Promise<Preview> {
  const format = formatOf(file.name);
  const size = format === 'json' ? maxJsonBytes : headBytes;
  const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
  const isWhole = file.size <= bytes.length;
  if (format === 'csv') return { format, isUtf8: true, ...csvPreview(spreadsheetText(bytes), isWhole) };
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '');
  // The last character may be cut.
  const isUtf8 = !(isWhole ? text : text.slice(0, -1)).includes('\ufffd') && !text.includes('\0');
  const items = format === 'ndjson' ? linesOf(text, isWhole) : isWhole ? arrayOf(text) : null;
  return { format, isUtf8, ...itemsPreview(items) };
}

/** The text of a file of a spreadsheet: UTF-16, UTF-8 or Windows-1252, as the server decides, too. */
function spreadsheetText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const separatorLine = /^"?sep=([,;\t|])"?\r?\n/i;

/** The sign with the most cells in the first line, or the one that it names. */
function separatorOf(text: string): string {
  const named = separatorLine.exec(text)?.[1];
  const header = text.split(/[\r\n]/, 1)[0]!.replaceAll(/"[^"]*"/g, '');
  const cells = (sign: string) => header.split(sign).length;
  return named ?? [',', ';', '\t', '|'].reduce((best, sign) => (cells(sign) > cells(best) ? sign : best));
}

function csvPreview(text: string, isWhole: boolean): Pick<Preview, 'columns' | 'rows'> {
  const records = recordsOf(text.replace(separatorLine, ''), separatorOf(text), maxRows + 2);
  // The last record may be cut.
  const whole = isWhole || records.length > maxRows + 1 ? records : records.slice(0, -1);
  const [columns = null, ...rows] = whole;
  return { columns, rows: rows.filter((row) => row.some((cell) => cell !== '')).slice(0, maxRows) };
}

/** The cells of the first records, with quotes as in RFC 4180. */
function recordsOf(text: string, separator: string, max: number): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length && records.length < max; at++) {
    const sign = text[at]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at]!;
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator || sign === '\n' || sign === '\r') {
      cells.push(cell);
      cell = '';
      if (sign === separator) continue;
      if (sign === '\r' && text[at + 1] === '\n') at++;
      records.push(cells);
      cells = [];
    } else cell += sign;
  }
  if (records.length < max && (cell !== '' || cells.length > 0)) records.push([...cells, cell]);
  return records;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function itemsPreview(items: unknown[] | null): Pick<Preview, 'columns' | 'rows'> {
  if (items === null) return { columns: null, rows: [] };
  const labels = items.map((item) => record(record(item)['labels']));
  const keys = [...new Set(['default', ...labels.flatMap((own) => Object.keys(own))])];
  return {
    columns: ['value', ...keys],
    rows: items.map((item, n) => [
      textOf(record(item)['value']),
      ...keys.map((key) => textOf(labels[n]![key])),
    ]),
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Columns that are languages which a list does not have. */
export const unknownLocales = (
  columns: readonly string[],
  list: { defaultLocale: string; availableLocales: readonly string[] },
): string[] => {
  const known = ['value', 'default', list.defaultLocale, ...list.availableLocales];
  const names = columns.map((name) => name.trim().toLowerCase());
  // Names of another kind, such as "Code", look like languages.
  if (!names.includes('value') || !names.includes('default')) return [];
  return [...new Set(names)].filter(
    (name) => /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/.test(name) && !known.includes(name),
  );
};
