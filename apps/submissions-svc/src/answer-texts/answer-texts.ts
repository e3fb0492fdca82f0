import { digitsOf, readJson } from '@canvass/json-numbers';
import { shown, valueOf, type ListText } from './answer-cells';
import type { AnswerColumns } from './answer-columns';
import { plainKind, type AnswerKind } from './answer-kinds';
import { isNode } from './definition';

/** An answer as people read it. */
export interface AnswerText {
  /** The member of the answers. */
  name: string;
  title: string;
  /** The type of the question (SurveyJS), or `remark`; null if the form has no such question. */
  type: string | null;
  /** Null: there is no answer. */
  text: string | null;
  /** The rows of a table, and the panels of a panel. */
  parts?: { title: string; text: string }[];
}

/**
 * The answers of a submission in the order of the form, the unanswered ones included; then those that belong
 * to no question.
 *
 * @returns null if the text is no JSON object, or one that is nested too deep
 */
export function answerTexts(
  jsonData: string,
  columns: readonly AnswerColumns[],
  listText: ListText,
): AnswerText[] | null {
  try {
    const answers = readJson(jsonData);
    if (!isNode(answers)) return null;
    const members = new Set(columns.map(({ member }) => member));
    const others = Object.entries(answers).filter(([name]) => !members.has(name));
    return [
      ...columns.map((answer) => textOf(answers, answer, listText)).filter(isShown),
      ...others.map(([name, value]) => ({ name, title: name, type: null, text: readable(value) })),
    ];
  } catch (error) {
    // Too deep for a recursive function.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const isShown = ({ type, text }: AnswerText): boolean => type !== 'remark' || text !== null;

function textOf(answers: unknown, answer: AnswerColumns, listText: ListText): AnswerText {
  const { member, title, type, shape, columns } = answer;
  const value = valueOf(answers, member);
  const textIn = (beside: unknown, name: string, kind: AnswerKind) =>
    readable(shown(valueOf(beside, name), kind, { listText, answers, beside, member: name }));
  if (shape === 'single')
    return { name: member, title, type, text: textIn(answers, member, columns[0]!.kind) };
  const rowText = (row: unknown) => {
    const cells = namesIn(row, columns).flatMap(({ name, title: heading, kind }) => {
      const text = textIn(row, name, kind);
      return text === null ? [] : [columns.length === 1 ? text : `${heading}: ${text}`];
    });
    return isNode(row) ? orNull(cells.join(', ')) : readable(row);
  };
  const rows = rowsOf(value, answer).map(({ name, title: heading }) => ({
    title: heading,
    text: shape === 'byRow' ? textIn(value, name, columns[0]!.kind) : rowText(valueIn(value, name)),
  }));
  const parts = rows.filter((part): part is { title: string; text: string } => part.text !== null);
  const whole = parts.map((part) => `${part.title}: ${part.text}`).join('; ');
  return {
    name: member,
    title,
    type,
    text: parts.length > 0 ? whole : Array.isArray(value) || isNode(value) ? null : readable(value),
    ...(parts.length > 0 && { parts }),
  };
}

/** The columns of a row, and the members that have none. */
function namesIn(row: unknown, columns: AnswerColumns['columns']): AnswerColumns['columns'] {
  if (!isNode(row)) return [];
  const known = new Set(columns.map(({ name }) => name));
  const others = Object.keys(row).filter((name) => !known.has(name));
  return [...columns, ...others.map((name) => ({ name, title: name, kind: plainKind }))];
}

/** Rows of the form, then those that only the answer has; the rows of a respondent by their number. */
function rowsOf(value: unknown, { rows, rowTitles }: AnswerColumns): { name: string; title: string }[] {
  if (Array.isArray(value)) return value.map((_, n) => ({ name: String(n), title: String(n + 1) }));
  const known = rows.map((name, n) => ({ name, title: rowTitles[n]! }));
  const others = isNode(value) ? Object.keys(value).filter((name) => !rows.includes(name)) : [];
  return [...known, ...others.map((name) => ({ name, title: name }))];
}

const valueIn = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? (value as unknown[])[Number(name)] : valueOf(value, name);

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Choices and members in one line; null for what is empty. */
function readable(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const digits = digitsOf(value);
  if (digits !== null || typeof value !== 'object') return orNull(digits ?? String(value));
  if (Array.isArray(value))
    return orNull(
      value
        .map(readable)
        .filter((text) => text !== null)
        .join(', '),
    );
  const members = Object.entries(value).flatMap(([name, item]) => {
    const text = readable(item);
    return text === null ? [] : [`${name}: ${text}`];
  });
  return orNull(members.join(', '));
}
