/** The encodings of spreadsheets, as `TextDecoder` names them. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const lead = 4; // bytes that show UTF-16

/**
 * Decodes the text of a file that arrives in pieces, in the encoding that its bytes show: UTF-16 by its mark
 * or by the zeros between ASCII letters; else UTF-8, unless the first letter outside ASCII is not valid
 * there: then Windows-1252. Before that letter both are the same.
 */
export class TextReader {
  /** Undefined until the bytes show it: so far all are ASCII. */
  encoding: Encoding | undefined;
  private decoder: InstanceType<typeof TextDecoder> | undefined;
  private held: Buffer = Buffer.alloc(0);
  private started = false;

  /** @throws {TypeError} for bytes that are not of the encoding */
  read(piece: Buffer): string {
    if (this.decoder) return this.decoder.decode(piece, { stream: true });
    const bytes = this.held.length === 0 ? piece : Buffer.concat([this.held, piece]);
    if (!this.started && bytes.length < lead) {
      this.held = bytes;
      return '';
    }
    return this.decide(bytes, false);
  }

  /** The rest, at the end of the file. @throws {TypeError} */
  end(): string {
    const rest = this.decoder ? '' : this.decide(this.held, true);
    return rest + (this.decoder?.decode() ?? '');
  }

  private decide(bytes: Buffer, isLast: boolean): string {
    const found = this.started ? undefined : utf16Of(bytes);
    this.started = true;
    if (found !== undefined) return this.begin(found, bytes);
    const at = bytes.findIndex((byte) => byte >= 0x80);
    const ascii = bytes.toString('latin1', 0, at === -1 ? bytes.length : at);
    this.held = at === -1 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
    if (at === -1) return ascii;
    const length = lengthOfLetter(bytes[at]!);
    if (this.held.length < length && !isLast) return ascii;
    // A letter that the end of the file cuts off stays UTF-8, and is refused as such.
    const isCut = this.held.length < length && this.held.subarray(1).every((byte) => byte >> 6 === 2);
    const encoding = isCut || isUtf8(this.held.subarray(0, length)) ? 'utf-8' : 'windows-1252';
    return ascii + this.begin(encoding, this.held);
  }

  private begin(encoding: Encoding, bytes: Buffer): string {
    this.encoding = encoding;
    // The readers of the text know the mark at its start. Later it is a letter.
    this.decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    return this.decoder.decode(bytes, { stream: true });
  }
}

function utf16Of(bytes: Buffer): Encoding | undefined {
  if (bytes.length < 2) return undefined;
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe || (bytes[1] === 0 && bytes[0] !== 0)) return 'utf-16le';
  return mark === 0xfeff || (bytes[0] === 0 && bytes[1] !== 0) ? 'utf-16be' : undefined;
}

/** Bytes of a letter in UTF-8 by its first one. */
const lengthOfLetter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
