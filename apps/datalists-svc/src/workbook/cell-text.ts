/** Most UTF-16 units of a cell that are kept. Excel has 32,767, and no text of an item is as long. */
const maxText = 65_536;

/** Collects the text of a cell or of a shared string. What is over the longest text is dropped. */
export class CellText {
  text = '';

  add(piece: string): void {
    if (this.text.length < maxText) this.text += piece.slice(0, maxText - this.text.length);
  }
}

/** Control characters are written as `_x000D_` (ECMA-376, ST_Xstring), and `_x005F_` before such text. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;

/** How the number of a cell is shown. Of the formats only those that change what it means. */
export type NumberStyle = { kind: 'number' } | { kind: 'date' } | { kind: 'zeros'; digits: number };

/**
 * A number as text: a date as ISO 8601, a number with its leading zeros (format `00000`), and any other with
 * the 15 digits that a spreadsheet shows. Null if it is no number.
 */
export function numberText(written: string, style: NumberStyle, is1904: boolean): string | null {
  const number = Number(written);
  if (written.trim() === '' || !Number.isFinite(number)) return null;
  if (style.kind === 'date') return dateText(number, is1904) ?? plainNumber(number);
  const plain = plainNumber(number);
  return style.kind === 'zeros' && /^\d+$/.test(plain) ? plain.padStart(style.digits, '0') : plain;
}

const plainNumber = (number: number): string => String(Number(number.toPrecision(15)));

const daySeconds = 86_400;
const lastDay = 2_958_465; // 9999-12-31

/** A serial number of a day as text; null outside the calendar of spreadsheets. */
function dateText(serial: number, is1904: boolean): string | null {
  if (serial < 0 || serial >= lastDay + 1) return null;
  const total = Math.round(serial * daySeconds);
  const seconds = total % daySeconds;
  const day = (total - seconds) / daySeconds;
  const time = new Date(seconds * 1000).toISOString().slice(11, 19);
  if (day === 0 && (seconds > 0 || !is1904)) return time;
  const days = is1904 ? day + 1462 : day;
  // The calendar has a 29 February 1900, which never was: before it days are one less.
  if (days === 60) return seconds === 0 ? '1900-02-29' : `1900-02-29T${time}`;
  const epoch = Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(epoch + (days * daySeconds + seconds) * 1000).toISOString();
  return seconds === 0 ? date.slice(0, 10) : date.slice(0, 19);
}
