import { isNode, type AnswerColumns, type Labels } from './answer-columns';
import { parseAnswers } from './json-text';

/** The content of a cell. A number is never a formula. */
export type Cell = string | number;

/**
 * The cells of one submission: those of the columns, then a JSON object of the answers that the columns do
 * not show in full; empty if there are none.
 *
 * - Several choices are separated by `|`; a bar or backslash within one has a backslash before it.
 * - So are the rows of a table without fixed rows. Several choices in a row are a JSON array.
 */
export function cellsOf(jsonData: string, columns: readonly AnswerColumns[]): Cell[] {
  try {
    const answers = parseAnswers(jsonData);
    if (!isNode(answers)) return [...emptyCells(columns), jsonData];
    const cells = columns.flatMap((answer) => answerCells(valueOf(answers, answer.member), answer));
    const byMember = new Map(columns.map((answer) => [answer.member, answer]));
    const others = Object.entries(answers).filter(([name, value]) => {
      const shown = byMember.get(name);
      return shown === undefined || !isWhole(value, shown);
    });
    return [...cells, others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others))];
  } catch {
    // Too deep for JSON.stringify.
    return [...emptyCells(columns), jsonData];
  }
}

const emptyCells = (columns: readonly AnswerColumns[]): Cell[] =>
  columns.flatMap((answer) => answerCells(undefined, answer));

function answerCells(value: unknown, { shape, rows, columns, isFile }: AnswerColumns): Cell[] {
  switch (shape) {
    case 'single':
      return [isFile ? cellOf(fileNames(value), columns[0]!.labels) : cellOf(value, columns[0]!.labels)];
    case 'byRow':
      return rows.map((row) => cellOf(valueOf(value, row), columns[0]!.labels));
    case 'byRowAndColumn':
      return rows.flatMap((row) =>
        columns.map(({ name, labels }) => cellOf(valueOf(valueOf(value, row), name), labels)),
      );
    case 'byColumn':
      return columns.map(({ name, labels }) =>
        Array.isArray(value) ? joined(value.map((row) => nested(valueOf(row, name), labels))) : '',
      );
  }
}

/** Returns whether the cells show all of an answer. */
function isWhole(value: unknown, { shape, rows, columns }: AnswerColumns): boolean {
  const names = new Set(columns.map(({ name }) => name));
  const isRow = (row: unknown) => hasOnly(row, names);
  switch (shape) {
    case 'single':
      return true;
    case 'byRow':
      return hasOnly(value, new Set(rows));
    case 'byRowAndColumn':
      return hasOnly(value, new Set(rows)) && Object.values(value).every(isRow);
    case 'byColumn':
      return Array.isArray(value) && value.every(isRow);
  }
}

function hasOnly(value: unknown, names: ReadonlySet<string>): value is Record<string, unknown> {
  return isNode(value) && Object.keys(value).every((name) => names.has(name));
}

function cellOf(value: unknown, labels: Labels): Cell {
  if (Array.isArray(value)) return joined(value.map((item) => String(plain(item, labels))));
  return plain(value, labels);
}

/** A cell of a table within a cell. */
const nested = (value: unknown, labels: Labels): string =>
  Array.isArray(value)
    ? JSON.stringify(value.map((item) => (isNode(item) ? item : plain(item, labels))))
    : String(plain(value, labels));

const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll(/[\\|]/g, '\\$&')).join('|');

function plain(value: unknown, labels: Labels): Cell {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  const label = labels.get(String(value));
  if (label !== undefined) return label;
  return typeof value === 'number' ? value : String(value);
}

/** The content of files is large; it is in `jsonData`. */
const fileNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((file) => (isNode(file) && typeof file['name'] === 'string' ? file['name'] : file))
    : value;

const valueOf = (value: unknown, name: string): unknown =>
  isNode(value) && Object.hasOwn(value, name) ? value[name] : undefined;
