/** The places where `'` goes: those of `dangerous` in csv.sql.ts. */
const formula = /^(?=[=+\-@＝＋－＠\p{Cc}])|(?<=[;\t\r\n])(?=[=@＝＋－＠]|[+-]\S)/gu;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/**
 * A cell of a CSV file (RFC 4180), as csv.sql.ts makes it in SQL. Unless `raw`, text that looks like a
 * formula gets a `'` before the formula.
 */
export function csvCell(text: string, raw: boolean): string {
  const safe = raw ? text : text.replaceAll(formula, "'");
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
