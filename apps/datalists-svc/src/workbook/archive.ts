import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { damaged, WorkbookError } from './workbook-error';

/** The files within a workbook, which is a ZIP archive. */
export interface Archive {
  has(name: string): boolean;
  /** The text of a file in pieces. @throws {WorkbookError} */
  textOf(name: string): AsyncGenerator<string>;
}

/** A workbook has some dozens, one with many pictures some thousands. */
const maxEntries = 10_000;
/** Sheets shrink to a tenth or, where all rows are alike, to a hundredth. A bomb shrinks to a thousandth. */
const maxRatio = 250;
/** The first bytes of a file of Office before .xlsx, and of one with a password. */
const compoundFile = Buffer.from('d0cf11e0', 'hex');
/** The size up to which the ratio does not matter. */
const smallBytes = 8 * 1024 * 1024;

/**
 * Opens an archive.
 *
 * @param maxBytes of all files that are read, unpacked
 * @throws {WorkbookError}
 */
export async function openArchive(bytes: Buffer, maxBytes: number): Promise<Archive> {
  const { zip, entries } = await directoryOf(bytes);
  let left = maxBytes;
  return {
    has: (name) => entries.has(keyOf(name)),
    async *textOf(name) {
      const entry = entries.get(keyOf(name));
      if (entry === undefined) throw damaged(`it has no ${name}`);
      const { compressedSize, uncompressedSize } = entry;
      left -= uncompressedSize;
      // The sizes are those that the archive states. Reading fails for a file with more bytes.
      if (left < 0 || uncompressedSize > Math.max(smallBytes, compressedSize * maxRatio))
        throw new WorkbookError('workbook_too_large', 'The workbook is too large when it is unpacked.');
      try {
        yield* decoded(await zip.openReadStreamPromise(entry), entry.crc32);
      } catch (error) {
        throw damaged(`${name} cannot be read (${(error as Error).message})`);
      }
    },
  };
}

async function directoryOf(
  bytes: Buffer,
): Promise<{ zip: yauzl.ZipFile; entries: ReadonlyMap<string, yauzl.Entry> }> {
  if (bytes.subarray(0, 4).equals(compoundFile)) {
    const message = 'The file is an old Excel workbook or has a password; save it as .xlsx without one.';
    throw new WorkbookError('not_xlsx', message);
  }
  const entries = new Map<string, yauzl.Entry>();
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
    if (zip.entryCount > maxEntries) throw new Error(`it has more than ${maxEntries} files`);
    for await (const entry of zip.eachEntry()) {
      const key = keyOf(entry.fileName);
      if (entries.has(key)) throw new Error(`it has ${entry.fileName} twice`);
      entries.set(key, entry);
    }
    return { zip, entries };
  } catch (error) {
    throw new WorkbookError('not_xlsx', `The file is not an .xlsx workbook (${(error as Error).message}).`);
  }
}

/** Names differ in case and in their first slash between the programs that write them. */
const keyOf = (name: string): string => name.replace(/^\//, '').toLowerCase();

async function* decoded(stream: AsyncIterable<unknown>, expected: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let sum = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    sum = crc32(piece, sum);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
  if (sum !== expected) throw new Error('its checksum is wrong');
}
