import { crc32, deflateRawSync } from 'node:zlib';

/** Workbooks of `.xlsx` that no program writes, or that only some do: their parts are given as XML. */

export interface ZipPart {
  name: string;
  content: string | Buffer;
  /** The checksum, if it is not the right one. */
  crc?: number;
  /** The size that the archive states, if it is not the right one. */
  size?: number;
  isStored?: boolean;
}

/** A ZIP archive (APPNOTE 6.3). */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part.content);
    const packed = part.isStored ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(part.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(part.isStored ? 0 : 8, 4);
    common.writeUInt32LE(part.crc ?? crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(part.size ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(offset, 10);
    locals.push(Buffer.from('PK\x03\x04'), common, name, packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, where, name);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

const relationsXml = (targets: Record<string, string>) =>
  `<Relationships xmlns="${packageRelations}">${Object.entries(targets)
    .map(([type, target]) => `<Relationship Id="${type}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

export interface Parts {
  /** The content of `sheetData`. */
  rows: string;
  /** `si` elements. */
  strings?: string;
  /** Formats of numbers: the second cell style has the first one. */
  formats?: readonly string[];
  /** Content of `workbook`. */
  workbook?: string;
  /** Parts that replace those of the same name. */
  replaced?: readonly ZipPart[];
}

/** The parts of a workbook with one sheet. */
export function partsOf({ rows, strings, formats = [], workbook, replaced = [] }: Parts): ZipPart[] {
  const sheets = workbook ?? '<sheets><sheet name="Sheet1" sheetId="1" r:id="worksheet"/></sheets>';
  const own: Record<string, string> = {
    '_rels/.rels': relationsXml({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}">${sheets}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml({
      worksheet: 'worksheets/sheet1.xml',
      sharedStrings: 'sharedStrings.xml',
      styles: 'styles.xml',
    }),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
      .map((_, n) => `<xf numFmtId="${164 + n}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  };
  const names = replaced.map(({ name }) => name);
  const kept = Object.entries(own).filter(([name]) => !names.includes(name));
  return [...kept.map(([name, content]) => ({ name, content })), ...replaced];
}

export const workbookOf = (parts: Parts): Buffer => zipOf(partsOf(parts));

/** A cell with its text. */
export const text = (content: string): string => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
export const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;
/** The header `value,default`. */
export const header = row(text('value'), text('default'));
