import { isBlank } from '@canvass/service-kit';
import { defaultKey } from '../catalog';
import type { FaultCode } from './faults';
import { resolveKey, type FileItem } from './item-rules';
import type { ItemContext } from './item-shape';

/** What the names of a caller's header stand for: `value`, a locale, or null for a column to leave out. */
export type ColumnMap = ReadonlyMap<string, string | null>;

/** A column of the file: the text of an item that its cells contain, or null; and its name in the header. */
interface Column {
  key: 'value' | (string & {}) | null;
  name: string;
}

/** What the reading of a table needs. */
export interface TableContext extends ItemContext {
  /** Names of the header that the caller maps. */
  names: ColumnMap;
}

const noErrors: ReadonlyMap<number, string> = new Map();

/**
 * Turns the rows of a table into items; the first row is the header. Columns without name and text at the end
 * are ignored. In a file of lines each row has all its cells. In a sheet a row ends with its last text, and
 * columns without name and text are ignored anywhere.
 */
export class ItemTable {
  private columns: Column[] | null = null;
  /** Cells of the header. */
  private width = 0;

  constructor(
    private readonly context: TableContext,
    private readonly rowName: 'line' | 'row',
  ) {}

  /**
   * The item of a row; null for the header and for a row with errors.
   *
   * @param errors why a cell has no text, by its index
   */
  item(row: string[], line: number, errors = noErrors): FileItem | null {
    const { faults, rules } = this.context;
    if (this.columns === null) {
      // A header with errors was skipped, so this is a row.
      faults.throwIfAny();
      this.width = row.length;
      this.columns = readHeader(row, line, this.context, this.rowName === 'row');
      return null;
    }
    const { columns } = this;
    if (this.rowName === 'line' && row.length !== this.width) {
      const message = `The row has ${row.length} cells, the header has ${this.width}.`;
      faults.add({ line, column: null, field: null, code: 'cell_count', message });
      return null;
    }
    const nameless = row.findIndex((cell, index) => (columns[index]?.name ?? '') === '' && !isBlank(cell));
    if (nameless !== -1) {
      const column = this.rowName === 'row' ? nameless + 1 : null;
      const message = 'The row has text in a column without a name.';
      faults.add({ line, column, field: null, code: 'cell_count', message });
      return null;
    }
    const item: FileItem = { value: '', labels: {} };
    for (const [index, { key }] of columns.entries()) {
      const cell = row[index] ?? '';
      if (key === 'value') item.value = cell;
      else if (key !== null) rules.label(item.labels, key, cell);
    }
    const place = (key: string) => {
      const index = columns.findIndex((column) => column.key === key);
      return { line, column: index + 1, field: columns[index]?.name ?? key };
    };
    const lost = columns.find(({ key }, index) => key !== null && errors.has(index));
    for (const [index, message] of errors) {
      const key = columns[index]?.key ?? null;
      if (key !== null) faults.add({ ...place(key), code: 'cell_error', message });
    }
    return lost === undefined && rules.check(item, line, place, this.rowName) ? item : null;
  }

  /** @throws {Problem} `import_rejected` for a table without a header */
  end(): void {
    if (this.columns !== null) return;
    const { faults } = this.context;
    faults.throwIfAny();
    const message = `The header is missing: the first ${this.rowName} must be value,default,<locale>...`;
    faults.stop({ line: 1, column: null, field: null, code: 'header_missing', message });
  }
}

function readHeader(
  row: string[],
  line: number,
  { list, names, faults }: TableContext,
  mayLackNames: boolean,
): Column[] {
  const columns: Column[] = [];
  const used = new Set<string>();
  let unknown = 0;
  const cells = row.slice(0, row.findLastIndex((cell) => !isBlank(cell)) + 1);
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    const fault = (code: FaultCode, message: string) =>
      faults.add({ line, column: index + 1, field: name.slice(0, 80), code, message });
    const isLeftOut = name === '' && mayLackNames;
    const key = isLeftOut ? null : names.has(name) ? names.get(name)! : name;
    const resolved = key === 'value' || key === null ? { key } : resolveKey(list, key);
    if (name === '' && !isLeftOut) fault('column_unnamed', 'The column has no name.');
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
