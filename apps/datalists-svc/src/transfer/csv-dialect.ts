import { separators, type Encoding, type Separator } from '@canvass/workbooks';

export type { Separator };

/** How a table is written, as its bytes show it. */
export interface FileFormat {
  format: 'csv' | 'xlsx';
  /** Null for CSV within a JSON body, and for a workbook. */
  encoding: Encoding | null;
  /** Null for a workbook. */
  separator: Separator | null;
  /** The name of the sheet; null for CSV. */
  sheet: string | null;
}

/** The first line of a file of Excel that only names the separator. */
const separatorLine = /^\ufeff?"?sep=([,;\t|])"?$/i;

export const isSeparatorLine = (line: string): boolean => separatorLine.test(line);

/**
 * The separator of a file by its first line: the one that the line names; else the one that gives the most
 * names of the format, then the most cells. A comma wins where others are no better.
 */
export function separatorOf(line: string, isName: (name: string) => boolean): Separator {
  const named = separatorLine.exec(line)?.[1];
  if (named !== undefined) return named as Separator;
  const score = (separator: Separator) => {
    const cells = headerCells(line, separator);
    return cells.filter(isName).length * 1_000 + cells.length;
  };
  return separators.reduce((best, each) => (score(each) > score(best) ? each : best));
}

/** The names of a header, near enough to compare separators. */
const headerCells = (line: string, separator: string): string[] =>
  line
    .replace(/^\ufeff/, '')
    .replaceAll(/"[^"]*"/g, (cell) => cell.replaceAll(/[,;\t|]/g, ' '))
    .split(separator)
    .map((cell) => cell.replaceAll('"', '').trim().toLowerCase());
