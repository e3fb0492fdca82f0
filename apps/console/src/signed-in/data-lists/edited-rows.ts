import type { components } from '@canvass/client';

type Item = components['schemas']['DataListItem'];

/** A row of the table in which a small list is edited: the value, the default label, the other labels. */
export interface EditedRow {
  /** Stays with the row when it moves. */
  key: number;
  cells: string[];
}

/** Most rows that are edited in a table. A longer list is imported as a file. */
export const maxEdited = 200;

let lastKey = 0;
export const rowOf = (cells: string[]): EditedRow => ({ key: ++lastKey, cells });
export const emptyRow = (width: number): EditedRow => rowOf(Array<string>(width).fill(''));

const isEmpty = ({ cells }: EditedRow): boolean => cells.every((cell) => cell.trim() === '');

/** @param keys of the labels, `default` first */
export const rowsOf = (items: readonly Item[], keys: readonly string[]): EditedRow[] =>
  items.map(({ value, labels }) => rowOf([value, ...keys.map((key) => labels[key] ?? '')]));

/** The items of the rows that have a text. */
export const itemsOf = (rows: readonly EditedRow[], keys: readonly string[]): Item[] =>
  rows
    .filter((row) => !isEmpty(row))
    .map(({ cells: [value = '', ...labels] }) => ({
      value,
      labels: Object.fromEntries(
        keys.map((key, n) => [key, labels[n] ?? '']).filter(([, label]) => label!.trim() !== ''),
      ) as Item['labels'],
    }));

export function withCell(rows: readonly EditedRow[], at: Place, text: string): EditedRow[] {
  return rows.map((row, n) =>
    n === at.row ? { ...row, cells: row.cells.map((cell, c) => (c === at.column ? text : cell)) } : row,
  );
}

/** The rows with one of them a place further; the same at the border. */
export function withMoved(rows: readonly EditedRow[], index: number, by: -1 | 1): EditedRow[] {
  const to = index + by;
  if (to < 0 || to >= rows.length) return [...rows];
  return rows.map((row, n) => (n === index ? rows[to]! : n === to ? rows[index]! : row));
}

/** A cell, by its row and column from 0. */
export interface Place {
  row: number;
  column: number;
}

/** A cell as spreadsheets copy it: in quotes if it holds a tab, a line break or a quote. */
const cell = /("(?:[^"]|"")*"|[^\t\n]*)(\t|\n|$)/gy;

/** The cells of a text from a spreadsheet. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  for (const [, given = '', end] of lines.matchAll(cell)) {
    const plain = /^"[^]*"$/.test(given) ? given.slice(1, -1).replaceAll('""', '"') : given;
    rows.at(-1)!.push(plain.replaceAll('\n', ' '));
    if (end === '\n') rows.push([]);
    if (end === '') break;
  }
  return rows;
}

/** Returns whether a pasted text is more than one cell. */
export const isTable = (text: string): boolean => /[\t\n]/.test(text.replace(/\r?\n$/, ''));

/** The rows with pasted cells from a place on. What is right of the last column is left out. */
export function withPasted(rows: readonly EditedRow[], at: Place, text: string): EditedRow[] {
  const width = rows[0]?.cells.length ?? 0;
  const pasted = cellsOf(text);
  // The header of an exported file.
  if (at.column === 0 && pasted[0]?.[0]?.trim().toLowerCase() === 'value') pasted.shift();
  const all = [...rows];
  for (const [n, cells] of pasted.entries()) {
    const row = all[at.row + n] ?? emptyRow(width);
    all[at.row + n] = { ...row, cells: row.cells.map((own, c) => cells[c - at.column] ?? own) };
  }
  return all;
}

/** Why rows cannot be saved. The service checks the rest. */
export interface RowFault extends Place {
  rule: 'value missing' | 'value repeated' | 'label missing';
}

export function faultsOf(rows: readonly EditedRow[]): RowFault[] {
  const seen = new Set<string>();
  return rows.flatMap((own, row): RowFault[] => {
    if (isEmpty(own)) return [];
    const [value = '', label = ''] = own.cells;
    const faults: RowFault[] = [];
    if (value.trim() === '') faults.push({ row, column: 0, rule: 'value missing' });
    else if (seen.has(value)) faults.push({ row, column: 0, rule: 'value repeated' });
    if (label.trim() === '') faults.push({ row, column: 1, rule: 'label missing' });
    seen.add(value);
    return faults;
  });
}
