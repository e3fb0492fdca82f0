import type { DataListItem } from '@canvass/contracts';
import { isBlank } from '@canvass/service-kit';
import Papa from 'papaparse';
import { defaultKey, type LocaleCatalog } from '../catalog';
import { isSeparatorLine, separatorOf, type FileFormat, type Separator } from './csv-dialect';
import { CsvRecordReader, type CsvRecord } from './csv-records';
import type { FaultCode, FaultList } from './faults';
import { resolveKey, type ItemRules } from './item-rules';

/** Maximum length of the first line, in characters. */
const headerLimit = 64 * 1024;

/** A column of the file: the text of an item that its cells contain, or null; and its name in the header. */
interface Column {
  key: 'value' | (string & {}) | null;
  name: string;
}

/** What the names of a caller's header stand for: `value`, a locale, or null for a column to leave out. */
export type ColumnMap = ReadonlyMap<string, string | null>;

/**
 * Checks CSV text that arrives in pieces and yields its items in batches, in order. Header
 * `value,default,<locale>...`, or names that `columns` maps; a blank cell clears its label. Errors name the
 * physical line (1 is the first) and the cell.
 */
export async function* csvItems(
  chunks: AsyncIterable<string> | Iterable<string>,
  list: LocaleCatalog,
  rules: ItemRules,
  faults: FaultList,
  { file, columns }: { file: FileFormat; columns: ColumnMap },
): AsyncGenerator<DataListItem[]> {
  let reader: CsvRecordReader | undefined;
  let rows: RowReader | undefined;
  for await (const chunk of withWholeLine(chunks)) {
    if (!reader || !rows) {
      file.separator = separatorOf(chunk.split(/[\r\n]/, 1)[0]!, (name) => isName(name, columns));
      reader = new CsvRecordReader(file.separator);
      rows = new RowReader(list, rules, faults, file.separator, columns);
    }
    yield rows.read(reader.push(chunk));
  }
  const items = rows!.read(reader!.end());
  rows!.end();
  yield items;
}

const isName = (name: string, columns: ColumnMap): boolean =>
  name === 'value' || name === defaultKey || columns.has(name);

/** The text in pieces, the first of which has the whole first line. */
async function* withWholeLine(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let head: string | null = '';
  for await (const chunk of chunks) {
    if (head === null) yield chunk;
    else if (/[\r\n]/.test(chunk) || head.length + chunk.length > headerLimit) {
      yield head + chunk;
      head = null;
    } else head += chunk;
  }
  if (head !== null) yield head;
}

/**
 * Turns valid records into items. A line of separators only is blank: spreadsheets write it for an emptied
 * row. Blank lines at the end are ignored; between rows they are errors. Columns without name and text at
 * the end are ignored, too.
 */
class RowReader {
  private columns: Column[] | null = null;
  /** Cells of the header. */
  private width = 0;
  private blanks: number[] = [];
  private readonly blank: RegExp;

  constructor(
    private readonly list: LocaleCatalog,
    private readonly rules: ItemRules,
    private readonly faults: FaultList,
    private readonly separator: Separator,
    private readonly names: ColumnMap,
  ) {
    this.blank = new RegExp(`^[${separator}]*$`);
  }

  read(all: CsvRecord[]): DataListItem[] {
    const records = all[0]?.line === 1 && isSeparatorLine(all[0].text) ? all.slice(1) : all;
    const isRow = ({ text, faults }: CsvRecord) => faults.length === 0 && !this.blank.test(text);
    const rows = cellsOf(records.filter(isRow), this.separator);
    const items: DataListItem[] = [];
    for (const record of records) {
      if (record.faults.length === 0 && this.blank.test(record.text)) this.blanks.push(record.line);
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
      this.width = row.length;
      this.columns = readHeader(row, line, this.list, this.names, this.faults);
      return null;
    }
    const { columns } = this;
    const cellFault = (message: string) => {
      this.faults.add({ line, column: null, field: null, code: 'cell_count', message });
      return null;
    };
    if (row.length !== this.width)
      return cellFault(`The row has ${row.length} cells, the header has ${this.width}.`);
    if (!row.slice(columns.length).every(isBlank))
      return cellFault('The row has text in a column without a name.');
    const item: DataListItem = { value: '', labels: {} };
    for (const [index, { key }] of columns.entries()) {
      const cell = row[index]!;
      if (key === 'value') item.value = cell;
      else if (key !== null && !isBlank(cell)) item.labels[key] = cell;
    }
    const place = (key: string) => {
      const index = columns.findIndex((column) => column.key === key);
      return { line, column: index + 1, field: columns[index]?.name ?? key };
    };
    return this.rules.check(item, line, place, 'line') ? item : null;
  }
}

/**
 * The cells of each record. The records are valid, so papaparse has nothing to guess. With `
 * ` between records, line breaks inside quoted cells are kept.
 */
function cellsOf(records: CsvRecord[], delimiter: Separator): IterableIterator<string[]> {
  if (records.length === 0) return [].values();
  const text = records.map((record) => record.text).join('\n');
  const parser = new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });
  const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, false);
  if (parsed.data.length !== records.length || parsed.errors.length > 0) {
    throw new Error(`papaparse read ${parsed.data.length} of ${records.length} sound records`);
  }
  return parsed.data.values();
}

function readHeader(
  row: string[],
  line: number,
  list: LocaleCatalog,
  names: ColumnMap,
  faults: FaultList,
): Column[] {
  const columns: Column[] = [];
  const used = new Set<string>();
  let unknown = 0;
  const cells = row.slice(0, row.findLastIndex((cell) => !isBlank(cell)) + 1);
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    const fault = (code: FaultCode, message: string) =>
      faults.add({ line, column: index + 1, field: name.slice(0, 80), code, message });
    const key = names.has(name) ? names.get(name)! : name;
    const resolved = key === 'value' || key === null ? { key } : resolveKey(list, key);
    if (name === '') fault('column_unnamed', 'The column has no name.');
    else if ('fault' in resolved) {
      fault(resolved.fault.code, resolved.fault.message);
      unknown += 1;
    } else if (resolved.key !== null && used.has(resolved.key)) {
      fault('column_repeated', `There is more than one column for ${resolved.key}.`);
    } else {
      if (resolved.key !== null) used.add(resolved.key);
      columns.push({ key: resolved.key, name });
      continue;
    }
    columns.push({ key: `column ${index + 1}`, name });
  }
  for (const required of ['value', defaultKey]) {
    if (used.has(required)) continue;
    const message = `The column ${required} is missing. The header is value,default,<locale>…; \`columns\` maps other names.`;
    faults.add({ line, column: null, field: required, code: 'column_missing', message });
  }
  // Rows are still read if only locales are unknown, to report their errors, too. With any other header error
  // each row would be an error.
  if (faults.count > unknown) faults.throwIfAny();
  return columns;
}
