/** An array of symbols. A symbol is a letter (UTF-16 code unit) in the alphabet of the column. */
export type Symbols = Uint8Array | Uint16Array;

/**
 * The folded texts of one field of all items, by position, in one array: each text between two zeros.
 * Immutable, like its version.
 */
export interface TextColumn {
  /** Its n-th code unit is symbol n + 1, in order of first use. */
  alphabet: string;
  symbols: Symbols;
  /** The start of the text of a position. It ends before the zero at `starts[position + 1] - 1`. */
  starts: Uint32Array;
  /** Index that avoids scanning most texts; null for short columns and after a failure. */
  grams: Grams | null;
}

/**
 * For each letter and each pair of letters the texts that contain it: a list of positions while they are few,
 * else a bitmap. The zero before a text counts as a letter, so the pair of zero and a letter gives the texts
 * that begin with it.
 */
export interface Grams {
  /** By bucket: number of texts. */
  counts: Uint32Array;
  /** By bucket: start of its list in `lists`, or of its bitmap in `bitmaps`. */
  begins: Uint32Array;
  /**
   * For each position the distance to the previous one in its list, starting from -1. Encoded in groups of
   * seven bits, the lowest first; the eighth bit says that more follow.
   */
  lists: Uint8Array;
  bitmaps: Uint32Array;
  /** Words of a bitmap. A bucket with more texts than this has a bitmap. */
  words: number;
  bytes: number;
}

/** Symbols of a byte but for the zero. */
const smallAlphabet = 255;
const isLarge = (alphabet: { length: number }): boolean => alphabet.length > smallAlphabet;

/** Whether symbols take two bytes each. */
export const isWide = ({ alphabet }: Pick<TextColumn, 'alphabet'>): boolean => isLarge(alphabet);

/** Appends texts by position to a future column. */
export class TextColumnBuilder {
  private symbols: Symbols = new Uint8Array(4096);
  private length = 1;
  private readonly starts: Uint32Array;
  private texts = 0;
  private readonly letters: string[] = [];
  private readonly symbolOf = new Uint16Array(0x10000);

  constructor(count: number) {
    this.starts = new Uint32Array(count + 1);
    this.starts[0] = 1;
  }

  get bytes(): number {
    return this.length * this.symbols.BYTES_PER_ELEMENT + this.starts.byteLength;
  }

  /** @param text folded; empty for an item without the field */
  add(text: string): void {
    if (this.length + text.length + 1 > this.symbols.length) this.grow(text.length + 1);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.symbols[this.length++] = this.symbolOf[unit]! || this.newSymbol(unit);
    }
    this.symbols[this.length++] = 0;
    this.starts[++this.texts] = this.length;
  }

  /** @throws {Error} if the number of texts is wrong */
  finish(): TextColumn {
    if (this.texts !== this.starts.length - 1) {
      throw new Error(`${this.texts} texts instead of ${this.starts.length - 1}`);
    }
    const symbols = this.symbols.slice(0, this.length);
    return { alphabet: this.letters.join(''), symbols, starts: this.starts, grams: null };
  }

  private newSymbol(unit: number): number {
    const symbol = this.letters.push(String.fromCharCode(unit));
    this.symbolOf[unit] = symbol;
    if (isLarge(this.letters) && this.symbols.BYTES_PER_ELEMENT === 1)
      this.symbols = new Uint16Array(this.symbols);
    return symbol;
  }

  private grow(needed: number): void {
    const size = Math.max(this.length + needed, this.expected(), Math.ceil(this.symbols.length * 1.25));
    const larger = this.symbols.BYTES_PER_ELEMENT === 1 ? new Uint8Array(size) : new Uint16Array(size);
    larger.set(this.symbols);
    this.symbols = larger;
  }

  /** Estimated number of symbols, once there are enough texts for an estimate. */
  private expected(): number {
    return this.texts < 1000 ? 0 : Math.ceil((1.02 * this.length * this.starts.length) / this.texts);
  }
}

/**
 * The column of `count` items from its symbols in `bytes` bytes.
 *
 * @throws {Error} if they are not the texts of `count` items
 */
export async function textColumn(
  { alphabet, bytes }: { alphabet: string; bytes: number },
  pieces: AsyncIterable<Buffer>,
  count: number,
): Promise<TextColumn> {
  const all = new Uint8Array(bytes);
  const symbols = isLarge(alphabet) ? new Uint16Array(all.buffer) : all;
  const starts = new Uint32Array(count + 1);
  let [read, checked, texts] = [0, 0, -1];
  for await (const piece of pieces) {
    all.set(piece, read);
    read += piece.length;
    const end = Math.floor(read / symbols.BYTES_PER_ELEMENT);
    for (; checked < end; checked++) if (symbols[checked] === 0) starts[++texts] = checked + 1;
  }
  if (read !== bytes || texts !== count) throw new Error(`${texts} texts instead of ${count}`);
  return { alphabet, symbols, starts, grams: null };
}

/** The symbols of a query, or null if a letter occurs in no text of the column. */
export function symbolsOf({ alphabet }: Pick<TextColumn, 'alphabet'>, query: string): Uint16Array | null {
  const symbols = new Uint16Array(query.length);
  for (let at = 0; at < query.length; at++) {
    const symbol = alphabet.indexOf(query[at]!) + 1;
    if (symbol === 0) return null;
    symbols[at] = symbol;
  }
  return symbols;
}

/** Size of the column in bytes. */
export function bytesOf({ symbols, starts, grams }: TextColumn): number {
  return symbols.byteLength + starts.byteLength + (grams?.bytes ?? 0);
}
