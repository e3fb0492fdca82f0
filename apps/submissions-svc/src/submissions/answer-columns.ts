import { formTexts, kindOf, plainKind, type AnswerKind, type FormTexts } from './answer-kinds';
import { maxAnswerPathLength } from './answer-path';
import { cellsIn, isOn, itemsOf, memberOf, questionsOf, type Node } from './definition';

/** Columns of a CSV file for one answer, in their order. Their cells are those of `cellsOf`. */
export interface AnswerColumns {
  /** The member of `jsonData`. */
  member: string;
  shape: 'single' | 'byRow' | 'byRowAndColumn' | 'byColumn';
  /** Names of rows, of `byRow` and `byRowAndColumn`. */
  rows: readonly string[];
  /** The columns of a table with the kinds of their cells; one of `single` and `byRow`. */
  columns: readonly { name: string; kind: AnswerKind }[];
}

/** The number of columns of a file. What has no column is in `otherAnswers`. */
const maxColumns = 2000;

/** What ends the name of a comment's member. */
export const commentSuffix = '-Comment';

/**
 * The columns of a form's answers, from its definition (SurveyJS), in its order.
 *
 * @param locale of the labels; empty for the default one, null for values instead of labels
 */
export function answerColumnsOf(definition: unknown, locale: string | null): AnswerColumns[] {
  const taken = new Set<string>();
  const form = formTexts(definition, locale);
  return questionsOf(definition)
    .flatMap((question) => columnsOf(question, form))
    .filter((answer) => {
      // Counted before the names are made: rows times columns can be many.
      const count = Math.max(1, answer.rows.length) * answer.columns.length;
      if (taken.size + count > maxColumns) return false;
      const names = columnNames(answer);
      const isNew = new Set(names).size === names.length && !names.some((name) => taken.has(name));
      if (!isNew || names.some((name) => name.length > maxAnswerPathLength)) return false;
      for (const name of names) taken.add(name);
      return true;
    });
}

/** Names of the columns without their prefix: the paths of `answers.<path>`. */
export function columnNames({ member, shape, rows, columns }: AnswerColumns): string[] {
  switch (shape) {
    case 'single':
      return [member];
    case 'byRow':
      return rows.map((row) => `${member}.${row}`);
    case 'byRowAndColumn':
      return rows.flatMap((row) => columns.map(({ name }) => `${member}.${row}.${name}`));
    case 'byColumn':
      return columns.map(({ name }) => `${member}.${name}`);
  }
}

/** The columns of a question and of its comment. */
function columnsOf(question: Node, form: FormTexts): AnswerColumns[] {
  const member = memberOf(question);
  const table = tableOf(question, member, form);
  const isTable = table !== null && columnNames(table).length > 0;
  const columns = [isTable ? table : single(member, kindOf(question, form))];
  return hasComment(question) ? [...columns, single(member + commentSuffix, plainKind)] : columns;
}

const single = (member: string, kind: AnswerKind): AnswerColumns => ({
  member,
  shape: 'single',
  rows: [],
  columns: [{ name: member, kind }],
});

/** Null for a question that is not a table. */
function tableOf(question: Node, member: string, form: FormTexts): AnswerColumns | null {
  const rows = itemsOf(question['rows']).map(({ value }) => value);
  const cells = () => cellsIn(question).flatMap((cell) => cellColumns(cell, form));
  switch (question['type']) {
    case 'matrix':
      return { member, shape: 'byRow', rows, columns: [{ name: member, kind: kindOf(question, form).row! }] };
    case 'multipletext': {
      const items = cells().map(({ name }) => name);
      return { member, shape: 'byRow', rows: items, columns: [{ name: member, kind: plainKind }] };
    }
    case 'matrixdropdown':
      return { member, shape: 'byRowAndColumn', rows, columns: cells() };
    case 'matrixdynamic':
    case 'paneldynamic':
      return { member, shape: 'byColumn', rows: [], columns: cells() };
    default:
      return null;
  }
}

/** A column of a table, and that of its comments. */
function cellColumns(cell: Node, form: FormTexts): AnswerColumns['columns'] {
  const name = memberOf(cell);
  if (name === '') return [];
  const column = { name, kind: kindOf(cell, form) };
  return hasComment(cell) ? [column, { name: name + commentSuffix, kind: plainKind }] : [column];
}

const hasComment = (question: Node): boolean =>
  isOn(question, 'showOtherItem', 'hasOther', 'showCommentArea', 'hasComment');
