import type { Archive } from './archive';
import { CellText, unescaped } from './cell-text';
import { WorkbookError } from './workbook-error';
import { readXml } from './xml';

const blockBytes = 1024 * 1024;
/** Bytes of all texts, in UTF-8. */
const maxBytes = 256 * blockBytes;
const maxTexts = 10_000_000;

/** Texts by their number, as bytes: a million of them as strings would take several times the memory. */
export class TextTable {
  private readonly blocks: Buffer[] = [];
  /** Where each text ends; a text is within one block. */
  private ends = new Uint32Array(1024);
  private starts = new Uint32Array(1024);
  private used = blockBytes;
  count = 0;

  /** @throws {WorkbookError} */
  add(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.used + length > blockBytes) {
      if (this.blocks.length * blockBytes >= maxBytes || this.count >= maxTexts)
        throw new WorkbookError('workbook_too_large', 'The texts of the workbook are too large.');
      this.blocks.push(Buffer.allocUnsafe(blockBytes));
      this.used = 0;
    }
    if (this.count === this.ends.length) [this.starts, this.ends] = [grown(this.starts), grown(this.ends)];
    const block = this.blocks.length - 1;
    this.blocks[block]!.write(text, this.used);
    this.starts[this.count] = block * blockBytes + this.used;
    this.used += length;
    this.ends[this.count] = block * blockBytes + this.used;
    this.count += 1;
  }

  /** Undefined if there is no such text. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return undefined;
    const start = this.starts[index]!;
    const block = Math.floor(start / blockBytes);
    return this.blocks[block]!.toString('utf8', start % blockBytes, this.ends[index]! - block * blockBytes);
  }
}

const grown = (numbers: Uint32Array): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
};

/** Reads the texts that cells share: plain ones, and formatted ones as plain text. @throws {WorkbookError} */
export async function readSharedStrings(archive: Archive, name: string): Promise<TextTable> {
  const table = new TextTable();
  let current = new CellText();
  let isText = false;
  let isPhonetic = false;
  await readXml(archive.textOf(name), {
    open(tag) {
      if (tag === 'si') current = new CellText();
      else if (tag === 't') isText = !isPhonetic;
      else if (tag === 'rPh') isPhonetic = true;
    },
    text(piece) {
      if (isText) current.add(piece);
    },
    close(tag) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'si') table.add(unescaped(current.text));
    },
  });
  return table;
}
