import { digitsOf, readJson, writeJson } from '@canvass/json-numbers';
import { commentSuffix, type AnswerColumns } from './answer-columns';
import { plainKind, type AnswerKind } from './answer-kinds';
import { isNode } from './definition';

/** The content of a cell: text, or a number in the sense of `digitsOf`. A number is never a formula. */
export type Cell = string | number;

/** The label of a value of a data list; undefined if it is not known. */
export type ListText = (list: string, value: string) => string | undefined;

const unknownText: ListText = () => undefined;

/** Where an answer stands: all answers, and the object with the answer and its comment. */
export interface Place {
  listText: ListText;
  answers: unknown;
  beside: unknown;
  member: string;
}

/**
 * The cells of one submission: those of the columns, then a JSON object of the answers that the columns do
 * not show in full; empty if there are none.
 *
 * - Several choices are separated by `|`; a bar or backslash within one has a backslash before it.
 * - So are the rows of a table without fixed rows. Several choices in a row are a JSON array.
 * - A file is its name, or its type in parentheses.
 */
export function cellsOf(
  jsonData: string,
  columns: readonly AnswerColumns[],
  listText: ListText = unknownText,
): Cell[] {
  try {
    const answers = readJson(jsonData);
    if (!isNode(answers)) return [...emptyCells(columns), jsonData];
    const cells = columns.flatMap((answer) => answerCells(answers, answer, listText));
    const byMember = new Map(columns.map((answer) => [answer.member, answer]));
    const others = Object.entries(answers).filter(([name, value]) => {
      const shown = byMember.get(name);
      return shown === undefined || !isWhole(value, shown);
    });
    return [...cells, others.length === 0 ? '' : jsonOf(Object.fromEntries(others))];
  } catch {
    // Too deep for JSON.stringify.
    return [...emptyCells(columns), jsonData];
  }
}

const emptyCells = (columns: readonly AnswerColumns[]): Cell[] =>
  columns.flatMap((answer) => answerCells({}, answer, unknownText));

function answerCells(
  answers: unknown,
  { member, shape, rows, columns }: AnswerColumns,
  listText: ListText,
): Cell[] {
  const value = valueOf(answers, member);
  const cell = (beside: unknown, name: string, { kind } = columns[0]!) =>
    cellOf(valueOf(beside, name), kind, { listText, answers, beside, member: name });
  switch (shape) {
    case 'single':
      return [cell(answers, member)];
    case 'byRow':
      return rows.map((row) => cell(value, row));
    case 'byRowAndColumn':
      return rows.flatMap((row) => columns.map((column) => cell(valueOf(value, row), column.name, column)));
    case 'byColumn':
      return columns.map(({ name, kind }) =>
        Array.isArray(value)
          ? joined(
              value.map((beside) =>
                nested(valueOf(beside, name), kind, { listText, answers, beside, member: name }),
              ),
            )
          : '',
      );
  }
}

/** Returns whether the cells show all of an answer. */
function isWhole(value: unknown, { shape, rows, columns }: AnswerColumns): boolean {
  const names = new Set(columns.map(({ name }) => name));
  const isRow = (row: unknown) => hasOnly(row, names);
  switch (shape) {
    case 'single':
      return [value].flat().every((item) => isShown(item, columns[0]!.kind));
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

/** Returns whether a text shows all of an answer: that of an object leaves out what is beside the choice. */
const isShown = (value: unknown, kind: AnswerKind): boolean =>
  !isNode(value) || choiceOf(value, kind) === undefined || Object.keys(value).length === 1;

function cellOf(value: unknown, kind: AnswerKind, place: Place): Cell {
  if (Array.isArray(value)) return joined(value.map((item) => textOf(shown(item, kind, place))));
  const cell = shown(value, kind, place);
  return digitsOf(cell) === null ? textOf(cell) : (cell as Cell);
}

/** A cell of a table within a cell. */
const nested = (value: unknown, kind: AnswerKind, place: Place): string => textOf(shown(value, kind, place));

const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll(/[\\|]/g, '\\$&')).join('|');

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? jsonOf(value) : (digitsOf(value) ?? String(value));
}

/** An answer with labels for its choices and names for its files, at any depth. */
export function shown(value: unknown, kind: AnswerKind, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item, kind, place));
  if (kind.isFile) return fileName(value);
  if (!isNode(value)) return value === null ? value : labelled(value, kind, place);
  const choice = choiceOf(value, kind);
  if (choice !== undefined) return shown(choice, kind, place);
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => {
      const inner = kind.row ?? kind.members.get(member) ?? plainKind;
      return [member, shown(item, inner, { ...place, beside: value, member })];
    }),
  );
}

/** The choice within an object, for `valuePropertyName` and for comments of choices. */
function choiceOf(value: Record<string, unknown>, { choiceMember, labels, list }: AnswerKind): unknown {
  if (choiceMember !== '') return valueOf(value, choiceMember);
  return labels.size > 0 || list !== '' ? valueOf(value, 'value') : undefined;
}

function labelled(value: unknown, kind: AnswerKind, { listText, answers, beside, member }: Place): unknown {
  if (kind.labels.size === 0 && kind.carried === null && kind.list === '') return value;
  const key = keyOf(value);
  if (kind.hasOther && key === 'other') {
    const comment = valueOf(beside, member + commentSuffix);
    if (typeof comment === 'string' && comment.trim() !== '') return comment;
  }
  const known = carriedLabel(key, kind, answers) ?? kind.labels.get(key);
  return known ?? (kind.list === '' ? undefined : listText(kind.list, key)) ?? value;
}

function carriedLabel(key: string, { carried }: AnswerKind, answers: unknown): unknown {
  if (carried === null) return undefined;
  const rows = valueOf(answers, carried.member);
  const row = Array.isArray(rows)
    ? rows.find((item) => keyOf(valueOf(item, carried.value)) === key)
    : undefined;
  const text = valueOf(row, carried.text);
  return typeof text === 'object' || text === '' ? undefined : text;
}

/** The value of a choice as `labels` has it: 1.0 is 1. */
function keyOf(value: unknown): string {
  const digits = digitsOf(value);
  return digits === null ? String(value) : String(Number(digits));
}

/** The content of files is large; it is in `jsonData`. */
function fileName(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? typeOfContent(value) : value;
  if (!isNode(value)) return value;
  const { name, type, content } = value;
  if (typeof name === 'string' && name !== '') return name;
  return typeof type === 'string' && type !== '' ? `(${type})` : typeOfContent(String(content));
}

const base64 = /^data:[^,]{0,200};base64,/;

/** What stands for the content of a file: its media type in parentheses. */
const typeOfContent = (url: string): string => `(${/^data:([^;,]+)/.exec(url)?.[1] ?? 'file'})`;

/** JSON text without the content of files. */
const jsonOf = (value: unknown): string =>
  writeJson(value, (_name, item) =>
    typeof item === 'string' && base64.test(item) ? typeOfContent(item) : item,
  );

export const valueOf = (value: unknown, name: string): unknown =>
  isNode(value) && Object.hasOwn(value, name) ? value[name] : undefined;
