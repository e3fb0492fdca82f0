/**
 * Formats rows as a text table. The members of the first row are the columns. Control characters become `?`.
 */
export function table(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell((row as Row)[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0]!, rule, ...lines.slice(1)]
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

type Row = Record<string, unknown>;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : typeof value === 'boolean'
          ? value
            ? 'yes'
            : 'no'
          : String(value);
  return text.replace(/\p{Cc}/gu, '?');
}
