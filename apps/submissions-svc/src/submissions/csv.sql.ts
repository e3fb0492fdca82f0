import { longDigits, type Separator } from '@canvass/workbooks';
import type { CsvDialect } from './csv-cell';

/**
 * The place before a character with which a spreadsheet might begin a formula, also in full width, or that
 * hides the start of one. A spreadsheet that separates by semicolons or tabs sees cells within a cell of
 * ours. A list of lines that begin with a hyphen and a space is not changed.
 */
const dangerous =
  '^(?=[=+@\\uff1d\\uff0b\\uff0d\\uff20\\u0001-\\u001f\\u007f-\\u009f-])' +
  '|(?<=[;\\t\\r\\n])(?=[=@\\uff1d\\uff0b\\uff0d\\uff20]|[+-]\\S)';
/** White space like ECMAScript's `\s`. */
const space =
  '[\\u0009-\\u000d\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]';
const needsQuotes = (separator: Separator) => {
  const sign = separator === '\t' ? '\\t' : separator;
  return `["${sign}\\r\\n]|^${space}|${space}$`;
};

export interface CsvColumn {
  /** SQL expression that returns text or null. */
  column: string;
  /** Returns whether respondents or clients write the value. Others are generated from letters and digits. */
  isFreeText: boolean;
}

/** SQL expression: a line of a CSV file (RFC 4180) with its CRLF. */
export const csvLineOf = (columns: readonly CsvColumn[], dialect: CsvDialect): string =>
  `${csvCellsOf(columns, dialect)} || E'\\r\\n'`;

/** SQL expression: the cells of a line with their separators. Null is an empty cell. */
export function csvCellsOf(columns: readonly CsvColumn[], dialect: CsvDialect): string {
  const { separator, idsAsText } = dialect;
  const cells = columns.map(({ column, isFreeText }) =>
    isFreeText || idsAsText ? textCell(column, dialect) : column,
  );
  const sign = separator === '\t' ? `E'\\t'` : `'${separator}'`;
  return cells.map((cell) => `coalesce(${cell}, '')`).join(` || ${sign} || `);
}

function textCell(column: string, { raw, separator, idsAsText }: CsvDialect): string {
  const safe = raw ? column : `regexp_replace(${column}, '${dangerous}', '''', 'g')`;
  // `offset 0` stops the planner from copying the column into each place, where it would be read again.
  const id = idsAsText ? `when c.text ~ '${longDigits}' then '"=""' || c.text || '"""'` : '';
  return `(select case ${id} when c.text ~ '${needsQuotes(separator)}' then '"' || replace(c.text, '"', '""') || '"' else c.text end
    from (select ${safe} as text offset 0) c)`;
}
