import type { DataListItem } from '@canvass/contracts';
import { isBlank } from '@canvass/service-kit';
import Papa from 'papaparse';
import { defaultKey, type LocaleCatalog } from '../catalog';
import { CsvRecordReader, type CsvRecord } from './csv-records';
import type { Fault, FaultCode, FaultList } from './faults';
import { replacementSign, resolveKey, type ItemRules } from './item-rules';

/** Maximum length of the first line, in characters. */
const headerLimit = 64 * 1024;

/** A column of the file: the text of an item that its cells contain, and its name in the header. */
interface Column {
  key: 'value' | (string & {});
  name: string;
}

/**
 * Checks CSV text that arrives in pieces and yields its items in batches, in order. Header
 * `value,default,<locale>...`; a blank cell clears its label. Errors name the physical line (1 is the header)
 * and the cell.
 */
export async function* csvItems(
  chunks: AsyncIterable<string> | Iterable<string>,
  list: LocaleCatalog,
  rules: ItemRules,
  faults: FaultList,
): AsyncGenerator<DataListItem[]> {
  const reader = new CsvRecordReader();
  const rows = new RowReader(list, rules, faults);
  for await (const chunk of withWholeHeader(chunks, faults)) {
    yield rows.read(reader.push(chunk));
  }
  const items = rows.read(reader.end());
  rows.end();
  yield items;
}

/** Buffers the text until its first line is complete, and rejects a file with an unsupported dialect. */
async function* withWholeHeader(
  chunks: AsyncIterable<string> | Iterable<string>,
  faults: FaultList,
): AsyncGenerator<string> {
  let head = '';
  let held = true;
  for await (const chunk of chunks) {
    if (!held) yield chunk;
    else if (/[\r\n]/.test(chunk) || head.length + chunk.length > headerLimit) {
      held = false;
      rejectUnsupportedDialect(head + chunk, faults);
      yield head + chunk;
    } else head += chunk;
  }
  if (!held) return;
  rejectUnsupportedDialect(head, faults);
  yield head;
}

/**
 * Turns valid records into items. Blank lines at the end of the file are ignored; a blank line between rows
 * is an error.
 */
class RowReader {
  private columns: Column[] | null = null;
  private blanks: number[] = [];

  constructor(
    private readonly list: LocaleCatalog,
    private readonly rules: ItemRules,
    private readonly faults: FaultList,
  ) {}

  read(records: CsvRecord[]): DataListItem[] {
    const rows = cellsOf(records.filter(isRow));
    const items: DataListItem[] = [];
    for (const record of records) {
      if (record.text === '' && record.faults.length === 0) this.blanks.push(record.line);
      else this.refuseBlanks();
      for (const fault of record.faults) this.faults.add({ ...fault, field: null });
      if (!isRow(record)) continue;
      const item = this.item(rows.next().value!, record.line);
      if (item !== null) items.push(item);
    }
    return items;
  }

  end(): void {
    if (this.columns === null) {
      this.faults.throwIfAny();
      const message = 'The header is missing: the first line must be value,default,<locale>...';
      this.faults.stop({ line: 1, column: null, field: null, code: 'header_missing', message });
    }
  }

  private refuseBlanks(): void {
    for (const line of this.blanks) {
      const message = 'The line is blank.';
      this.faults.add({ line, column: null, field: null, code: 'line_blank', message });
    }
    this.blanks = [];
  }

  private item(row: string[], line: number): DataListItem | null {
    if (this.columns === null) {
      // A header with errors was skipped, so this is a row.
      this.faults.throwIfAny();
      this.columns = readHeader(row, line, this.list, this.faults);
      return null;
    }
    const { columns } = this;
    if (row.length !== columns.length) {
      const message = `The row has ${row.length} cells, the header has ${columns.length}.`;
      this.faults.add({ line, column: null, field: null, code: 'cell_count', message });
      return null;
    }
    const item: DataListItem = { value: '', labels: {} };
    for (const [index, { key }] of columns.entries()) {
      const cell = row[index]!;
      if (key === 'value') item.value = cell;
      else if (!isBlank(cell)) item.labels[key] = cell;
    }
    const place = (key: string) => {
      const index = columns.findIndex((column) => column.key === key);
      return { line, column: index + 1, field: columns[index]?.name ?? key };
    };
    return this.rules.check(item, line, place, 'line') ? item : null;
  }
}

function isRow(record: CsvRecord): boolean {
  return record.text !== '' && record.faults.length === 0;
}

/**
 * The cells of each record. The records are valid, so papaparse has nothing to guess. With `
 * ` between records, line breaks inside quoted cells are kept.
 */
function cellsOf(records: CsvRecord[]): IterableIterator<string[]> {
  if (records.length === 0) return [].values();
  const text = records.map((record) => record.text).join('\n');
  const parser = new Papa.Parser({ delimiter: ',', newline: '\n', quoteChar: '"' });
  const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, false);
  if (parsed.data.length !== records.length || parsed.errors.length > 0) {
    throw new Error(`papaparse read ${parsed.data.length} of ${records.length} sound records`);
  }
  return parsed.data.values();
}

function readHeader(cells: string[], line: number, list: LocaleCatalog, faults: FaultList): Column[] {
  const columns: Column[] = [];
  let unknown = 0;
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    const fault = (code: FaultCode, message: string) =>
      faults.add({ line, column: index + 1, field: name.slice(0, 80), code, message });
    const resolved = name === 'value' ? { key: name } : resolveKey(list, name);
    if (name === '') fault('column_unnamed', 'The column has no name.');
    else if ('fault' in resolved) {
      fault(resolved.fault.code, resolved.fault.message);
      unknown += 1;
    } else if (columns.some((column) => column.key === resolved.key)) {
      fault('column_repeated', `There is more than one column for ${resolved.key}.`);
    } else {
      columns.push({ key: resolved.key, name });
      continue;
    }
    columns.push({ key: `column ${index + 1}`, name });
  }
  for (const required of ['value', defaultKey]) {
    if (columns.some((column) => column.key === required)) continue;
    const message = `The column ${required} is missing.`;
    faults.add({ line, column: null, field: required, code: 'column_missing', message });
  }
  // Rows are still read if only locales are unknown, to report their errors, too. With any other header error
  // each row would be an error.
  if (faults.count > unknown) faults.throwIfAny();
  return columns;
}

/** Recognizes the default formats of spreadsheets and reports how to save the file. */
function rejectUnsupportedDialect(text: string, faults: FaultList): void {
  const stop = (fault: Pick<Fault, 'code' | 'message'>) =>
    faults.stop({ line: 1, column: null, field: null, ...fault });
  const [header = ''] = text.split(/\r\n|\r|\n/, 1);
  // Text with a wrong encoding shows it in its first characters.
  if (header.includes('\0') || header.startsWith('ÿþ') || header.startsWith('þÿ')) stop(encodingFaults.utf16);
  if (header.includes(replacementSign)) stop(encodingFaults.other);
  for (const [sign, name] of [
    [';', 'semicolons'],
    ['\t', 'tabs'],
  ] as const) {
    const parts = header.split(sign).map((part) =>
      part
        .replace(/["\ufeff]/g, '')
        .trim()
        .toLowerCase(),
    );
    if (parts.length > 1 && (parts.includes('value') || parts.includes(defaultKey))) {
      const message = `The file is separated by ${name}; save it separated by commas (RFC 4180).`;
      stop({ code: `separated_by_${name}`, message });
    }
  }
}

export const encodingFaults = {
  utf16: { code: 'utf16', message: 'The file is encoded as UTF-16; save it as UTF-8.' },
  other: {
    code: 'not_utf8',
    message: 'The file is not UTF-8 (it looks like Windows-1252); save it as UTF-8.',
  },
} as const;
