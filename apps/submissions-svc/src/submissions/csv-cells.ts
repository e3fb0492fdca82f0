/** What a spreadsheet might run as a formula, or that hides the beginning of one. */
const dangerous = /^[=+\-@\p{Cc}]/u;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** A line of a CSV file (RFC 4180) with its CRLF. Null is an empty cell. Unless `raw`, cells that look like formulas begin with `'`. */
export function csvLine(cells: readonly (string | null)[], raw: boolean): string {
  return `${cells.map((cell) => csvCell(cell ?? '', raw)).join(',')}\r\n`;
}

function csvCell(text: string, raw: boolean): string {
  const safe = !raw && dangerous.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
