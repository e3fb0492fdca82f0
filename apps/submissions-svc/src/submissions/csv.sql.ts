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
const needsQuotes = `[",\\r\\n]|^${space}|${space}$`;

export interface CsvColumn {
  /** SQL expression that returns text or null. */
  column: string;
  /** Returns whether respondents or clients write the value. Others are generated from letters and digits. */
  isFreeText: boolean;
}

/** SQL expression: a line of a CSV file (RFC 4180) with its CRLF. */
export const csvLineOf = (columns: readonly CsvColumn[], raw: boolean): string =>
  `${csvCellsOf(columns, raw)} || E'\\r\\n'`;

/**
 * SQL expression: the cells of a line, separated by commas. Null is an empty cell. Unless `raw`, cells that
 * look like formulas get a `'` before the formula.
 */
export function csvCellsOf(columns: readonly CsvColumn[], raw: boolean): string {
  const cells = columns.map(({ column, isFreeText }) => (isFreeText ? freeText(column, raw) : column));
  return cells.map((cell) => `coalesce(${cell}, '')`).join(` || ',' || `);
}

function freeText(column: string, raw: boolean): string {
  const safe = raw ? column : `regexp_replace(${column}, '${dangerous}', '''', 'g')`;
  // `offset 0` stops the planner from copying the column into each place, where it would be read again.
  return `(select case when c.text ~ '${needsQuotes}' then '"' || replace(c.text, '"', '""') || '"' else c.text end
    from (select ${safe} as text offset 0) c)`;
}
