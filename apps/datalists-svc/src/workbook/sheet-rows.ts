import { CellText, numberText, unescaped, type NumberStyle } from './cell-text';
import type { TextTable } from './shared-strings';
import { WorkbookError } from './workbook-error';
import { XmlReader, type Attributes } from './xml';

/** A row of a sheet with its texts. */
export interface SheetRow {
  /** Number of the row, from 1. */
  line: number;
  /** Texts from column A on; a missing cell is empty. */
  cells: string[];
  /** Why a cell has no text, by its index. */
  errors: ReadonlyMap<number, string>;
}

/** What cells refer to. */
export interface CellContext {
  texts: TextTable;
  styles: readonly NumberStyle[];
  is1904: boolean;
}

const maxRows = 1_048_576;
const maxColumns = 16_384;
/** Maximum length of a row in UTF-16 units. A list with 128 locales and full labels is far shorter. */
const rowLimit = 1024 * 1024;

const plain: NumberStyle = { kind: 'number' };
const none: ReadonlyMap<number, string> = new Map();

/** The rows of a sheet in batches, in order. @throws {WorkbookError} */
export async function* sheetRows(
  pieces: AsyncIterable<string>,
  context: CellContext,
): AsyncGenerator<SheetRow[]> {
  const rows = new RowBuilder(context);
  const reader = new XmlReader({
    open: (tag, attributes) => rows.open(tag, attributes),
    text: (piece) => rows.text(piece),
    close: (tag) => rows.close(tag),
  });
  for await (const piece of pieces) {
    reader.push(piece);
    yield rows.take();
  }
  reader.end();
  yield rows.take();
}

interface Cell {
  column: number;
  type: string;
  style: number;
  hasFormula: boolean;
  text: CellText;
}

class RowBuilder {
  private done: SheetRow[] = [];
  private line = 0;
  private row: { cells: string[]; errors: Map<number, string>; length: number } | null = null;
  /** Number of the last cell of the row. */
  private column = 0;
  private cell: Cell | null = null;
  private isText = false;
  private isPhonetic = false;

  constructor(private readonly context: CellContext) {}

  take(): SheetRow[] {
    const { done } = this;
    this.done = [];
    return done;
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'row') this.openRow(attributes['r']);
    else if (this.row === null) return;
    else if (tag === 'c') this.openCell(attributes);
    else if (this.cell === null) return;
    else if (tag === 'is') this.cell.type = 'inlineStr';
    else if (tag === 'v') this.isText = true;
    else if (tag === 't') this.isText = !this.isPhonetic;
    else if (tag === 'rPh') this.isPhonetic = true;
    else if (tag === 'f') this.cell.hasFormula = true;
  }

  text(piece: string): void {
    if (this.isText) this.cell!.text.add(piece);
  }

  close(tag: string): void {
    if (tag === 'v' || tag === 't') this.isText = false;
    else if (tag === 'rPh') this.isPhonetic = false;
    else if (tag === 'c' && this.cell !== null) this.closeCell(this.cell);
    else if (tag === 'row' && this.row !== null) {
      const { cells, errors } = this.row;
      this.done.push({ line: this.line, cells, errors: errors.size === 0 ? none : errors });
      this.row = null;
    }
  }

  private openRow(written: string | undefined): void {
    const line = written === undefined ? this.line + 1 : Number(written);
    if (!Number.isInteger(line) || line <= this.line || line > maxRows)
      throw this.fault(`after row ${this.line} follows a row with a wrong number`);
    this.line = line;
    this.column = 0;
    this.row = { cells: [], errors: new Map(), length: 0 };
  }

  private openCell({ r, t = 'n', s = '0' }: Attributes): void {
    const column = r === undefined ? this.column + 1 : columnOf(r);
    if (column === null || column <= this.column || column > maxColumns)
      throw this.fault('a cell has a wrong place');
    this.column = column;
    this.cell = { column, type: t, style: Number(s), hasFormula: false, text: new CellText() };
  }

  private closeCell(cell: Cell): void {
    this.cell = null;
    this.isText = false;
    const row = this.row!;
    const { text, error } = this.valueOf(cell);
    if (error !== undefined) row.errors.set(cell.column - 1, error);
    if (text === '') return;
    row.length += text.length;
    if (row.length > rowLimit) {
      const message = `The row is longer than ${rowLimit.toLocaleString('en')} characters.`;
      throw new WorkbookError('row_too_long', message, { line: this.line, column: null });
    }
    while (row.cells.length < cell.column - 1) row.cells.push('');
    row.cells.push(text);
  }

  /** The text of a cell. Formulas have the value that was stored with them. */
  private valueOf({ type, style, hasFormula, text: { text } }: Cell): { text: string; error?: string } {
    const { texts, styles, is1904 } = this.context;
    if (text === '') {
      // The value would be lost without a word. A formula whose text is empty has type `str`.
      const isLost = hasFormula && type !== 'str';
      return isLost
        ? { text: '=', error: 'The formula has no stored value; save the file in Excel.' }
        : { text };
    }
    switch (type) {
      case 's': {
        const shared = texts.at(Number(text));
        if (shared === undefined) throw this.fault('a cell refers to a text that is missing');
        return { text: shared };
      }
      case 'str':
      case 'inlineStr':
        return { text: unescaped(text) };
      case 'b':
        return { text: text.trim() === '1' || text.trim() === 'true' ? 'TRUE' : 'FALSE' };
      case 'e':
        return { text, error: `The cell has the error ${text.slice(0, 40)}.` };
      case 'd':
        return { text: text.trim() };
      default: {
        const number = numberText(text, styles[style] ?? plain, is1904);
        if (number === null) throw this.fault('a number is not one');
        return { text: number };
      }
    }
  }

  private fault(what: string): WorkbookError {
    const place = { line: this.line || null, column: this.column || null };
    return new WorkbookError('not_xlsx', `The workbook is damaged: ${what}.`, place);
  }
}

/** The number of a column, from 1: `C` of `C7` is 3. Null for another text. */
function columnOf(reference: string): number | null {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~0x20; // upper case
    if (code < 0x41 || code > 0x5a) return at === 0 ? null : column;
    column = column * 26 + code - 0x40;
    if (column > maxColumns) return null;
  }
  return null;
}
