import Papa from 'papaparse';
import { defaultKey } from '../catalog';
import { isSeparatorLine, separatorOf, type FileFormat, type Separator } from './csv-dialect';
import { CsvRecordReader, type CsvRecord } from './csv-records';
import type { FileItem } from './item-rules';
import { ItemTable, type ColumnMap, type TableContext } from './item-table';

/** Maximum length of the first line, in characters. */
const headerLimit = 64 * 1024;

/**
 * Checks CSV text that arrives in pieces and yields its items in batches, in order. Header
 * `value,default,<locale>...`, or names that the caller maps; a blank cell clears its label. Errors name the
 * physical line (1 is the first) and the cell.
 */
export async function* csvItems(
  chunks: AsyncIterable<string> | Iterable<string>,
  context: TableContext,
  file: FileFormat,
): AsyncGenerator<FileItem[]> {
  let reader: CsvRecordReader | undefined;
  let rows: RowReader | undefined;
  for await (const chunk of withWholeLine(chunks)) {
    if (!reader || !rows) {
      const separator = separatorOf(chunk.split(/[\r\n]/, 1)[0]!, (name) => isName(name, context.names));
      file.separator = separator;
      reader = new CsvRecordReader(separator);
      rows = new RowReader(context, separator);
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
export async function* withWholeLine(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
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
 * Turns valid records into rows of a table. A line of separators only is blank: spreadsheets write it for an
 * emptied row. Blank lines at the end are ignored; between rows they are errors.
 */
class RowReader {
  private readonly table: ItemTable;
  private readonly blank: RegExp;
  private blanks: number[] = [];

  constructor(
    private readonly context: TableContext,
    private readonly separator: Separator,
  ) {
    this.table = new ItemTable(context, 'line');
    this.blank = new RegExp(`^[${separator}]*$`);
  }

  read(all: CsvRecord[]): FileItem[] {
    const records = all[0]?.line === 1 && isSeparatorLine(all[0].text) ? all.slice(1) : all;
    const isRow = ({ text, faults }: CsvRecord) => faults.length === 0 && !this.blank.test(text);
    const rows = cellsOf(records.filter(isRow), this.separator);
    const items: FileItem[] = [];
    for (const record of records) {
      if (record.faults.length === 0 && this.blank.test(record.text)) this.blanks.push(record.line);
      else this.refuseBlanks();
      for (const fault of record.faults) this.context.faults.add({ ...fault, field: null });
      if (!isRow(record)) continue;
      const item = this.table.item(rows.next().value!, record.line);
      if (item !== null) items.push(item);
    }
    return items;
  }

  end(): void {
    this.table.end();
  }

  private refuseBlanks(): void {
    for (const line of this.blanks) {
      const message = 'The line is blank.';
      this.context.faults.add({ line, column: null, field: null, code: 'line_blank', message });
    }
    this.blanks = [];
  }
}

/**
 * The cells of each record. The records are valid, so papaparse has nothing to guess. With `
 * ` between records, line breaks inside quoted cells are kept.
 */
export function cellsOf(records: CsvRecord[], delimiter: Separator): IterableIterator<string[]> {
  if (records.length === 0) return [].values();
  const text = records.map((record) => record.text).join('\n');
  const parser = new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });
  const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, false);
  if (parsed.data.length !== records.length || parsed.errors.length > 0) {
    throw new Error(`papaparse read ${parsed.data.length} of ${records.length} sound records`);
  }
  return parsed.data.values();
}
