import { Problem } from '@canvass/errors';

/** The faults that a file can have. Programs rely on these names. */
export const faultCodes = [
  // the file
  'not_utf8',
  'file_empty',
  'not_xlsx',
  'workbook_too_large',
  'too_many_items',
  'too_many_locales',
  // the header
  'header_missing',
  'column_missing',
  'column_repeated',
  'column_unnamed',
  'locale_unknown',
  // a row or line
  'line_blank',
  'cell_count',
  'cell_error',
  'row_too_long',
  'line_too_long',
  'quote_in_cell',
  'quote_not_closed',
  'text_after_quote',
  'json_invalid',
  'item_not_object',
  'member_unknown',
  'labels_not_object',
  'label_repeated',
  'label_not_text',
  'value_not_text',
  // a value or label
  'value_missing',
  'value_repeated',
  'value_too_long',
  'value_with_nul',
  'value_with_half_pair',
  'value_not_decoded',
  'default_missing',
  'label_too_long',
  'label_with_nul',
  'label_with_half_pair',
  'label_not_decoded',
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** A reason for rejecting an import, with its place in the upload. */
export interface Fault {
  /** Physical line of the file, 1 is the header; null for JSON. */
  line: number | null;
  /** Number of the cell in its row, from 1; null for JSON and for errors of a whole row. */
  column: number | null;
  /** Name of the column, or the JSON path (`items[3].labels.nl`), or null. */
  field: string | null;
  code: FaultCode;
  message: string;
}

/** Maximum number of errors in a response. Reading stops there. */
const faultLimit = 100;

/** Collects errors while reading. Throws `import_rejected` at the maximum number. */
export class FaultList {
  /** Errors that were not taken out. */
  faults: Fault[] = [];
  /** Number of all errors. */
  count = 0;
  /** The sheet of a workbook, which messages then name as formulas do: `Countries!B7`. */
  sheet: string | null = null;

  constructor(private readonly limit = faultLimit) {}

  add(fault: Fault): void {
    this.note(fault);
    if (this.count >= this.limit) throw this.problem();
  }

  /** Ends the import for an error that makes the rest unreadable (wrong encoding, no header). */
  stop(fault: Fault): never {
    this.note(fault);
    throw this.problem();
  }

  throwIfAny(): void {
    if (this.count > 0) throw this.problem();
  }

  /** Takes out the errors so far, to store them. */
  take(): Fault[] {
    const { faults } = this;
    this.faults = [];
    return faults;
  }

  private note(fault: Fault): void {
    const message = this.sheet === null ? fault.message : `${placeIn(this.sheet, fault)}: ${fault.message}`;
    this.faults.push({ ...fault, message });
    this.count++;
  }

  private problem(): Problem {
    const [first] = this.faults;
    const message = first?.message ?? '';
    return new Problem('import_rejected', {
      detail: this.count === 1 ? message : `${this.count} errors were found; the first: ${message}`,
      extra: { faults: this.faults },
    });
  }
}

function placeIn(sheet: string, { line, column }: Fault): string {
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  const letters = column === null ? '' : columnLetters(column);
  return line === null ? name : `${name}!${letters || `${line}:`}${line}`;
}

/** The letters of a column, from 1: 28 is `AB`. */
const columnLetters = (column: number): string =>
  column === 0
    ? ''
    : columnLetters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
