/** The characters that a spreadsheet may take for the start of a formula, also in full width. */
const formula = /^[=+\-@＝＋－＠\p{Cc}]/u;

/** Rows of cells as tab-separated text. A cell that a spreadsheet might run begins with an apostrophe. */
export const tsvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(cellOf).join('\t')).join('\n');

function cellOf(text: string): string {
  const guarded = formula.test(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
