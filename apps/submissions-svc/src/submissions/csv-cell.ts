import { excelText, type Separator } from '@canvass/workbooks';

/** The places where `'` goes: those of `dangerous` in csv.sql.ts. */
const formula = /^(?=[=+\-@＝＋－＠\p{Cc}])|(?<=[;\t\r\n])(?=[=@＝＋－＠]|[+-]\S)/gu;
const needsQuotes = /["\r\n]|^\s|\s$/;

/** How a CSV file is written. The first values are those of RFC 4180. */
export interface CsvDialect {
  /** Whether text that looks like a formula gets no `'` before the formula. */
  raw: boolean;
  separator: Separator;
  /** Whether long digits are written as `="…"`, so that a spreadsheet keeps them. */
  idsAsText: boolean;
}

/** A cell of a CSV file (RFC 4180), as csv.sql.ts makes it in SQL. */
export function csvCell(text: string, { raw, separator, idsAsText }: CsvDialect): string {
  const safe = raw ? text : text.replaceAll(formula, "'");
  const cell = idsAsText ? excelText(safe) : safe;
  return needsQuotes.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
