import type { Archive } from './archive';
import type { NumberStyle } from './cell-text';
import { readXml } from './xml';

const plain: NumberStyle = { kind: 'number' };
const date: NumberStyle = { kind: 'date' };

/** The formats of cells by their index, in the order of the file. @throws {WorkbookError} */
export async function readStyles(archive: Archive, name: string): Promise<NumberStyle[]> {
  const formats = new Map<number, string>();
  const styles: NumberStyle[] = [];
  let isInCells = false;
  await readXml(archive.textOf(name), {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (tag === 'numFmt') formats.set(Number(numFmtId), formatCode);
      else if (tag === 'cellXfs') isInCells = true;
      // Formats come before the cells that use them.
      else if (tag === 'xf' && isInCells && styles.length < maxStyles)
        styles.push(styleOf(Number(numFmtId), formats));
    },
    close(tag) {
      if (tag === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}

/** The limit of Excel is 65,490. */
const maxStyles = 100_000;

/** The numbers of built-in formats of days and times (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

function styleOf(id: number, formats: ReadonlyMap<number, string>): NumberStyle {
  const code = formats.get(id);
  if (code === undefined) return isBuiltInDate(id) ? date : plain;
  if (/^0{2,30}$/.test(code)) return { kind: 'zeros', digits: code.length };
  return isDateFormat(code) ? date : plain;
}

/** Whether a format has a letter of a day or a time outside its quoted, escaped and bracketed parts. */
const isDateFormat = (code: string): boolean => {
  const [first = ''] = code.split(';');
  const letters = first
    .replaceAll(/\[(?:h+|m+|s+)\]/gi, 'h') // elapsed time
    .replaceAll(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]|general/gi, '');
  return /[dmyhs]/i.test(letters);
};
