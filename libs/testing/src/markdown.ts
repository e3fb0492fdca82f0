type Cell = string | number;

/** Returns a table in Markdown; the first row is the head. Columns of numbers are on the right. */
export function markdownTable([head = [], ...rows]: readonly (readonly Cell[])[]): string {
  const isNumeric = (column: number) =>
    rows.every((cells) => /^[\d–*<≥.,+\s/msMB]*$/.test(String(cells[column] ?? '')));
  const shown = (cell: Cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells: readonly Cell[]) => `| ${cells.map(shown).join(' | ')} |`;
  const rule = head.map((_, column) => (isNumeric(column) ? '--:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
