/**
 * Splits CSV text into records, strictly by RFC 4180 section 2, with a comma or another separator. papaparse,
 * which splits records into cells, also accepts open quotes, quotes inside unquoted cells and text after a
 * closing quote, and guesses their meaning. A choice list must not be guessed, so these are errors here.
 * Records may end with CRLF, LF or CR, even mixed.
 */

import type { Separator } from './csv-dialect';
import type { Fault, FaultCode } from './faults';

export interface CsvRecord {
  /** Physical line on which the record starts, from 1. */
  line: number;
  /** The text without its line break. */
  text: string;
  /** Errors of the record. A record with errors is not used. */
  faults: readonly SyntaxFault[];
}

export interface SyntaxFault extends Pick<Fault, 'code' | 'message'> {
  line: number;
  /** Number of the cell in its record, from 1. */
  column: number;
}

/**
 * Maximum length of a record in UTF-16 units. A list with 128 locales and full labels is far shorter. Limits
 * memory for an unclosed quote.
 */
export const recordLimit = 1024 * 1024;

const quote = 0x22;
const cr = 0x0d;
const lf = 0x0a;

type State = 'cell-start' | 'plain' | 'quoted' | 'quote-seen' | 'broken';

const sound: readonly SyntaxFault[] = [];

/** Reads chunk by chunk. */
export class CsvRecordReader {
  private state: State = 'cell-start';
  /** The start of the current record from earlier chunks. */
  private head = '';
  private line = 1;
  private recordLine = 1;
  private column = 1;
  private quoteLine = 1;
  private faults: SyntaxFault[] = [];
  private afterCr = false;
  private stopped = false;
  private started = false;
  private readonly separator: number;

  constructor(separator: Separator = ',') {
    this.separator = separator.charCodeAt(0);
  }

  /** Records that this chunk completes. */
  push(chunk: string): CsvRecord[] {
    if (this.stopped) return [];
    const text = this.started || chunk === '' ? chunk : withoutBom(chunk);
    if (chunk !== '') this.started = true;
    const records: CsvRecord[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.afterCr) {
        this.afterCr = false;
        if (code === lf) {
          if (this.state !== 'quoted') start = at + 1;
          continue;
        }
      }
      if (code === cr || code === lf) {
        this.line++;
        this.afterCr = code === cr;
        if (this.state === 'quoted') continue;
        this.finish(this.head + text.slice(start, at), records);
        start = at + 1;
      } else {
        this.step(code);
      }
    }
    this.head += text.slice(start);
    if (this.head.length > recordLimit) this.giveUp(records);
    return records;
  }

  /** The last record, if the text does not end with a line break. */
  end(): CsvRecord[] {
    if (this.stopped) return [];
    const records: CsvRecord[] = [];
    if (this.state === 'quoted') {
      this.fault(this.quoteLine, 'quote_not_closed', 'A quote is opened here and never closed.');
    }
    if (this.head !== '') this.finish(this.head, records);
    return records;
  }

  private step(code: number): void {
    switch (this.state) {
      case 'cell-start':
        if (code === quote) {
          this.state = 'quoted';
          this.quoteLine = this.line;
        } else if (code === this.separator) this.column++;
        else this.state = 'plain';
        return;
      case 'quoted':
        if (code === quote) this.state = 'quote-seen';
        return;
      case 'quote-seen':
        if (code === quote) this.state = 'quoted';
        else if (code === this.separator) this.nextCell();
        else this.break('text_after_quote', 'There is text after the closing quote of the cell.');
        return;
      case 'plain':
        if (code === this.separator) this.nextCell();
        else if (code === quote) {
          this.break(
            'quote_in_cell',
            'There is a quote inside an unquoted cell: quote the cell and double the quote.',
          );
        }
        return;
      case 'broken':
        if (code === this.separator) this.nextCell();
    }
  }

  private nextCell(): void {
    this.state = 'cell-start';
    this.column++;
  }

  private break(code: FaultCode, message: string): void {
    this.state = 'broken';
    this.fault(this.line, code, message);
  }

  private fault(line: number, code: FaultCode, message: string): void {
    this.faults.push({ line, column: this.column, code, message });
  }

  private finish(text: string, records: CsvRecord[]): void {
    records.push({ line: this.recordLine, text, faults: this.faults.length === 0 ? sound : this.faults });
    this.head = '';
    this.state = 'cell-start';
    this.column = 1;
    this.faults = [];
    this.recordLine = this.line;
  }

  private giveUp(records: CsvRecord[]): void {
    this.stopped = true;
    const limit = recordLimit.toLocaleString('en');
    if (this.state === 'quoted') {
      const message = `A quote is opened here and not closed within ${limit} characters.`;
      this.fault(this.quoteLine, 'quote_not_closed', message);
    } else {
      this.fault(this.recordLine, 'row_too_long', `The row is longer than ${limit} characters.`);
    }
    this.finish('', records);
  }
}

function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
