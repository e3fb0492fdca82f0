import { pairedRatio } from '@canvass/testing';

/** Rows of cells; the first row is the head. */
export type Table = string[][];

/** What a scenario found, ready to be printed or recorded. */
export interface Report {
  /** What was found, its target and whether it was met: `ratioRow`, `limitRow`, `row`. No head. */
  findings: Table;
  results: Table;
  notes: string[];
  /** Files that belong to the record, such as a plot: their content by their path in the checkout. */
  files?: Record<string, string>;
  /** Operations failed: the numbers mean nothing. */
  broken: boolean;
}

/** The tables of a report with their heads. */
export const tablesOf = ({ findings, results }: Report): Table[] => [
  [['', 'Found', 'Target', ''], ...findings],
  results,
];

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** The least and the most of several rounds. */
export const spread = (of: readonly number[]): string =>
  `${whole(Math.min(...of))} – ${whole(Math.max(...of))}`;

/** One finding. Without a target it is information only. */
export const row = (what: string, found: string, target = '', isMet?: boolean): string[] => [
  what,
  found,
  target,
  isMet === undefined ? '' : isMet ? 'met' : '**missed**',
];

/** Two things must be the same. */
export const sameRow = (what: string, isSame: boolean): string[] =>
  row(what, isSame ? 'the same' : 'differ', 'the same', isSame);

/** A ratio of two lists of rounds (`pairedRatio`), with the least that is wanted. */
export function ratioRow(
  what: string,
  of: readonly number[],
  to: readonly number[],
  atLeast?: number,
): string[] {
  const ratio = pairedRatio(of, to);
  if (atLeast === undefined) return row(what, ratio.toFixed(2));
  return row(what, ratio.toFixed(2), `≥ ${atLeast}`, ratio >= atLeast);
}

/** A value with its limits; the unit with its space, ` ms`. */
export function limitRow(
  what: string,
  value: number,
  unit: string,
  { atLeast, below }: { atLeast?: number; below?: number },
): string[] {
  const shown = value >= 100 ? whole(value) : value.toFixed(1);
  const isMet = (atLeast === undefined || value >= atLeast) && (below === undefined || value < below);
  const target = atLeast === undefined ? `< ${below}` : `≥ ${whole(atLeast)}`;
  return row(what, shown + unit, target + unit, isMet);
}

/** For a terminal: columns of equal width. */
export function plainTable(table: Table): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table
    .map((cells) =>
      `  ${cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ')}`.trimEnd(),
    )
    .join('\n');
}

/**
 * Replaces the section with the same heading, or appends it. Text below the numbers stays: it begins with a
 * heading of the third level.
 */
export function withSection(text: string, section: string): string {
  const heading = section.slice(0, section.indexOf('\n') + 1);
  const parts = text.split(/^(?=## )/m).map((part) => part.trim());
  const at = parts.findIndex((part) => part.startsWith(heading));
  const kept = /^### [\s\S]*/m.exec(parts[at] ?? '')?.[0];
  parts.splice(at < 0 ? parts.length : at, 1, [section, kept].filter(Boolean).join('\n\n'));
  return `${parts.join('\n\n')}\n`;
}
