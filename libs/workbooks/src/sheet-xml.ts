/** The content of a cell. Text never is a formula. */
export type SheetCell = string | number | boolean | Date | null;

/** The styles of cells, as `styles.xml` numbers them. */
const dateStyle = 1;
const headerStyle = 2;

/** Longest text of a cell in UTF-16 units: Excel repairs a file with a longer one. */
const maxText = 32_767;
/** Digits that a spreadsheet keeps of a number. */
const maxDigits = 15;

/** A row of a sheet. The standard does without the places of cells, but some programs need them. */
export const rowXml = (cells: readonly SheetCell[], line: number, isHeader = false): string =>
  `<row r="${line}">${cells.map((cell, at) => cellXml(cell, lettersOf(at) + line, isHeader)).join('')}</row>`;

const letters: string[] = [];

/** The letters of a column by its index: 27 is `AB`. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return (letters[index] ??= index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last);
}

function cellXml(cell: SheetCell, r: string, isHeader: boolean): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'boolean') return `<c r="${r}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (cell instanceof Date) return `<c r="${r}" s="${dateStyle}"><v>${serialOf(cell)}</v></c>`;
  if (typeof cell === 'number' && isExact(cell)) return `<c r="${r}"><v>${cell}</v></c>`;
  const style = isHeader ? ` s="${headerStyle}"` : '';
  return `<c r="${r}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(shortened(String(cell)))}</t></is></c>`;
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && Number(value.toPrecision(maxDigits)) === value;

/** Days since 30 December 1899, in UTC. */
const serialOf = (date: Date): number => date.getTime() / 86_400_000 + 25_569;

/** A text that is too long ends with an ellipsis. */
const shortened = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text);

/** What XML cannot have, and text that looks like its replacement (ECMA-376, ST_Xstring). */
const special = /[&<>\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Cs}|_(?=x[0-9a-f]{4}_)/giu;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string =>
  text.replaceAll(
    special,
    (sign) => entities[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
