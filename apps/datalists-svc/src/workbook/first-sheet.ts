import path from 'node:path';
import { openArchive, type Archive } from './archive';
import { readSharedStrings, TextTable } from './shared-strings';
import { sheetRows, type SheetRow } from './sheet-rows';
import { readStyles } from './styles';
import { damaged, WorkbookError } from './workbook-error';
import { prefixed, readXml } from './xml';

export interface Sheet {
  name: string;
  /** In batches, in order. Can be read once. @throws {WorkbookError} */
  rows(): AsyncGenerator<SheetRow[]>;
}

/**
 * The first sheet of a workbook (`.xlsx`) that is not hidden.
 *
 * @param maxBytes of the parts that are read, unpacked
 * @throws {WorkbookError}
 */
export async function firstSheet(bytes: Buffer, maxBytes: number): Promise<Sheet> {
  const archive = await openArchive(bytes, maxBytes);
  const main = await mainPart(archive);
  const { sheets, is1904 } = await readWorkbook(archive, main);
  const parts = await relationsOf(archive, main);
  const sheet = sheets.find(({ id }) => parts.get(id)?.type === 'worksheet');
  if (sheet === undefined) throw new WorkbookError('not_xlsx', 'The workbook has no sheet that is shown.');
  const partOf = (type: string) => [...parts.values()].find((part) => part.type === type)?.name;
  return {
    name: sheet.name,
    async *rows() {
      const strings = partOf('sharedStrings');
      const styles = partOf('styles');
      const texts = strings === undefined ? new TextTable() : await readSharedStrings(archive, strings);
      const context = {
        texts,
        styles: styles === undefined ? [] : await readStyles(archive, styles),
        is1904,
      };
      yield* sheetRows(archive.textOf(parts.get(sheet.id)!.name), context);
    },
  };
}

async function mainPart(archive: Archive): Promise<string> {
  const usual = 'xl/workbook.xml';
  const parts = await relationsOf(archive, '');
  const name = [...parts.values()].find(({ type }) => type === 'officeDocument')?.name ?? usual;
  if (name.endsWith('.xml') && archive.has(name)) return name;
  const message = archive.has('xl/workbook.bin')
    ? 'The file is an .xlsb workbook; save it as .xlsx.'
    : archive.has('mimetype')
      ? 'The file is an OpenDocument file; save it as .xlsx.'
      : 'The file is not an .xlsx workbook.';
  throw new WorkbookError('not_xlsx', message);
}

/** Of sheets, and of parts that a part refers to. */
const maxParts = 10_000;

async function readWorkbook(archive: Archive, name: string) {
  const sheets: { name: string; id: string }[] = [];
  let is1904 = false;
  await readXml(archive.textOf(name), {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (tag !== 'sheet') return;
      const { name: own = '', state = 'visible' } = attributes;
      if (sheets.length >= maxParts) throw damaged('it has too many sheets');
      if (state === 'visible') sheets.push({ name: own.slice(0, 80), id: prefixed(attributes, 'id') ?? '' });
    },
  });
  return { sheets, is1904 };
}

interface Part {
  /** The last word of the type: `worksheet`. */
  type: string;
  name: string;
}

/** The parts that a part refers to, by their ids. */
async function relationsOf(archive: Archive, part: string): Promise<Map<string, Part>> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const name = `${folder}_rels/${part.slice(slash)}.rels`;
  const parts = new Map<string, Part>();
  if (!archive.has(name)) return parts;
  await readXml(archive.textOf(name), {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (tag !== 'Relationship' || TargetMode === 'External') return;
      if (parts.size >= maxParts) throw damaged('it has too many parts');
      parts.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), name: pathOf(folder, Target) });
    },
  });
  return parts;
}

/** A target as the name of a file: `/xl/a.xml`, `a.xml` and `../xl/a.xml`. */
const pathOf = (folder: string, target: string): string =>
  path.posix.resolve('/', folder, target.replaceAll('\\', '/')).slice(1);
