import type { Grams } from './grams';

/** One array of symbols; a symbol is a letter of the column's alphabet, or a UTF-16 code unit where it has too many. */
export type Symbols = Uint8Array | Uint16Array;

/**
 * The folded texts of one field of all items, by position, in one array: each text between two zeros. Immutable, like
 * the version of the items it was made from.
 */
export interface TextColumn {
  /** Its n-th code unit is symbol n + 1. Empty: symbols are code units. */
  alphabet: string;
  symbols: Symbols;
  /** Where the text of a position begins; it ends before the zero at `starts[position + 1] - 1`. */
  starts: Uint32Array;
  /** What spares most of the texts a look; null while it is made, and for columns too short to need it. */
  grams: Grams | null;
}

/** Symbols of a byte but for the zero. */
const smallAlphabet = 255;

/** Appends texts, in order of position, to what becomes a column. */
export class TextColumnBuilder {
  private symbols: Symbols = new Uint8Array(4096);
  private length = 1;
  private readonly starts: Uint32Array;
  private texts = 0;
  private letters: string[] | null = [];
  private readonly symbolOf = new Uint8Array(0x10000);

  constructor(count: number) {
    this.starts = new Uint32Array(count + 1);
    this.starts[0] = 1;
  }

  get bytes(): number {
    return this.length * this.symbols.BYTES_PER_ELEMENT + this.starts.byteLength;
  }

  /** @param text folded; empty for an item that lacks the field */
  add(text: string): void {
    if (this.length + text.length + 1 > this.symbols.length) this.grow(text.length + 1);
    for (let at = 0; at < text.length; at++) this.push(text.charCodeAt(at));
    this.symbols[this.length++] = 0;
    this.starts[++this.texts] = this.length;
  }

  /** @throws {Error} when the number of texts is not the one promised */
  finish(): TextColumn {
    if (this.texts !== this.starts.length - 1) {
      throw new Error(`${this.texts} texts instead of ${this.starts.length - 1}`);
    }
    const alphabet = this.letters === null ? '' : this.letters.join('');
    return { alphabet, symbols: this.symbols.slice(0, this.length), starts: this.starts, grams: null };
  }

  private push(unit: number): void {
    if (this.letters === null) {
      this.symbols[this.length++] = unit;
      return;
    }
    let symbol = this.symbolOf[unit]!;
    if (symbol === 0) {
      if (this.letters.length === smallAlphabet) return this.widen(this.letters, unit);
      symbol = this.letters.push(String.fromCharCode(unit));
      this.symbolOf[unit] = symbol;
    }
    this.symbols[this.length++] = symbol;
  }

  private widen(letters: readonly string[], unit: number): void {
    const units = Uint16Array.from([0, ...letters.map((letter) => letter.charCodeAt(0))]);
    this.symbols = Uint16Array.from(this.symbols, (symbol) => units[symbol]!);
    this.letters = null;
    this.push(unit);
  }

  private grow(needed: number): void {
    const size = Math.max(this.length + needed, Math.ceil(this.symbols.length * 1.5));
    const larger = this.letters === null ? new Uint16Array(size) : new Uint8Array(size);
    larger.set(this.symbols);
    this.symbols = larger;
  }
}

/**
 * The column whose symbols these are.
 *
 * @throws {Error} when they are not the texts of `count` items
 */
export function textColumn(alphabet: string, symbols: Symbols, count: number): TextColumn {
  const starts = new Uint32Array(count + 1);
  let texts = -1;
  for (let at = 0; at < symbols.length; at++) if (symbols[at] === 0) starts[++texts] = at + 1;
  if (texts !== count) throw new Error(`${texts} texts instead of ${count}`);
  return { alphabet, symbols, starts, grams: null };
}

/** The symbols of a query, or null when one of its letters is in no text of the column. */
export function symbolsOf({ alphabet }: Pick<TextColumn, 'alphabet'>, query: string): Uint16Array | null {
  const symbols = new Uint16Array(query.length);
  for (let at = 0; at < query.length; at++) {
    const symbol = alphabet === '' ? query.charCodeAt(at) : alphabet.indexOf(query[at]!) + 1;
    if (symbol === 0) return null;
    symbols[at] = symbol;
  }
  return symbols;
}

/** Bytes that the column holds. */
export function bytesOf({ symbols, starts, grams }: TextColumn): number {
  return symbols.byteLength + starts.byteLength + (grams?.bytes ?? 0);
}
