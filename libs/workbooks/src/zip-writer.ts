import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/** A file of an archive. Numbers are bytes. */
export interface ZipEntry {
  name: string;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

/** What must be known to continue an archive. It can be stored as JSON. */
export interface ZipState {
  offset: number;
  entries: ZipEntry[];
}

const deflate = promisify<Buffer, { finishFlush: number }, Buffer>(deflateRaw);
/** The end of deflated data: an empty last block. */
const lastBlock = Buffer.from([3, 0]);
const maxOffset = 0xffff_ffff;

/**
 * Writes a ZIP archive (APPNOTE 6.3) in pieces, as they come and at constant memory. Each piece of a file is
 * packed on its own, so that another process can continue from the state.
 */
export class ZipWriter {
  constructor(readonly state: ZipState = { offset: 0, entries: [] }) {}

  /** Begins a file; what is added belongs to it. */
  begin(name: string): Buffer {
    const entry = { name, offset: this.state.offset, crc: 0, packed: 0, size: 0 };
    this.state.entries.push(entry);
    // Its sizes and its checksum follow the data.
    return this.counted(
      Buffer.concat([Buffer.from('PK\x03\x04'), commonHeader({ ...entry, crc: 0 }), Buffer.from(name)]),
    );
  }

  async add(content: Buffer): Promise<Buffer> {
    const entry = this.state.entries.at(-1)!;
    const packed = await deflate(content, { finishFlush: constants.Z_SYNC_FLUSH });
    entry.crc = crc32(content, entry.crc);
    entry.size += content.length;
    entry.packed += packed.length;
    return this.counted(packed);
  }

  /** Ends the file that was begun last. */
  end(): Buffer {
    const entry = this.state.entries.at(-1)!;
    entry.packed += lastBlock.length;
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(entry.crc, 0);
    sizes.writeUInt32LE(entry.packed, 4);
    sizes.writeUInt32LE(entry.size, 8);
    return this.counted(Buffer.concat([lastBlock, Buffer.from('PK\x07\x08'), sizes]));
  }

  /** Ends the archive. @throws {Error} for one of more than 4 GiB */
  close(): Buffer {
    const { entries, offset } = this.state;
    if (offset > maxOffset) throw new Error('A workbook cannot have more than 4 GiB.');
    const directory = Buffer.concat(entries.map(directoryEntry));
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(entries.length, 8);
    end.writeUInt16LE(entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([directory, end]);
  }

  private counted(bytes: Buffer): Buffer {
    this.state.offset += bytes.length;
    return bytes;
  }
}

/** The part of a header that a file and the directory have in common. */
function commonHeader({ name, crc, packed, size }: ZipEntry): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0); // version
  header.writeUInt16LE(0x0808, 2); // sizes follow; names in UTF-8
  header.writeUInt16LE(8, 4); // deflated
  header.writeUInt16LE(0x21, 8); // 1980-01-01
  header.writeUInt32LE(crc, 10);
  header.writeUInt32LE(packed, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 22);
  return header;
}

function directoryEntry(entry: ZipEntry): Buffer {
  const place = Buffer.alloc(14);
  place.writeUInt32LE(entry.offset, 10);
  const start = Buffer.from('PK\x01\x02\x14\x00', 'latin1');
  return Buffer.concat([start, commonHeader(entry), place, Buffer.from(entry.name)]);
}
