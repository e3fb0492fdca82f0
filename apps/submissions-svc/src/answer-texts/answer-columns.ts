import { formTexts, kindOf, plainKind, type AnswerKind, type FormTexts } from './answer-kinds';
import { maxAnswerPathLength } from './answer-path';
import { cellsIn, isOn, itemsOf, memberOf, questionsOf, textOf, type Node } from './definition';
import { textIn, textOrWord } from './survey-texts';

/** A column of a table, or a single answer, with its title in the form. */
interface AnswerColumn {
  name: string;
  title: string;
  kind: AnswerKind;
}

/** Columns of a CSV file for one answer, in their order. Their cells are those of `cellsOf`. */
export interface AnswerColumns {
  /** The member of `jsonData`. */
  member: string;
  title: string;
  /** The type of the question; `remark` for what stands beside an answer. */
  type: string;
  shape: 'single' | 'byRow' | 'byRowAndColumn' | 'byColumn';
  /** Names of rows, of `byRow` and `byRowAndColumn`. */
  rows: readonly string[];
  /** Of the rows, in their order. */
  rowTitles: readonly string[];
  /** The columns of a table with the kinds of their cells; one of `single` and `byRow`. */
  columns: readonly AnswerColumn[];
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

/** Titles of the columns, in the order of their names. */
export function columnTitles({ title, shape, rowTitles, columns }: AnswerColumns): string[] {
  const below = (...titles: string[]) => [title, ...titles].join(' – ');
  switch (shape) {
    case 'single':
      return [title];
    case 'byRow':
      return rowTitles.map((row) => below(row));
    case 'byRowAndColumn':
      return rowTitles.flatMap((row) => columns.map((column) => below(row, column.title)));
    case 'byColumn':
      return columns.map((column) => below(column.title));
  }
}

/** The columns of a question and of its comment. */
function columnsOf(question: Node, form: FormTexts): AnswerColumns[] {
  const column = columnOf(question, form);
  const table = tableOf(question, column, form);
  const isTable = table !== null && columnNames(table).length > 0;
  const columns = [isTable ? table : single(question, column)];
  return hasComment(question)
    ? [...columns, single({ type: 'remark' }, commentOf(question, column, form))]
    : columns;
}

const columnOf = (question: Node, form: FormTexts): AnswerColumn => ({
  name: memberOf(question),
  title: titleOf(question, form),
  kind: kindOf(question, form),
});

const titleOf = ({ title, name }: Node, { locale }: FormTexts): string =>
  textIn(title, locale ?? '') ?? textOf(name);

/** The comment of an answer: what `other` is, or a remark. */
function commentOf(question: Node, { name, title }: AnswerColumn, { locale }: FormTexts): AnswerColumn {
  const hasOther = isOn(question, 'showOtherItem', 'hasOther');
  const text = hasOther
    ? textOrWord(question['otherText'], 'other', locale ?? '')
    : (textIn(question['commentText'], locale ?? '') ?? commentSuffix.slice(1));
  return { name: name + commentSuffix, title: `${title} – ${text}`, kind: plainKind };
}

const single = ({ type }: Node, column: AnswerColumn): AnswerColumns => ({
  member: column.name,
  title: column.title,
  type: textOf(type),
  shape: 'single',
  rows: [],
  rowTitles: [],
  columns: [column],
});

/** Null for a question that is not a table. */
function tableOf(question: Node, column: AnswerColumn, form: FormTexts): AnswerColumns | null {
  const items = itemsOf(question['rows']);
  const rows = items.map(({ value }) => value);
  const rowTitles = items.map(({ value, text }) => textIn(text, form.locale ?? '') ?? value);
  const cells = () => cellsIn(question).flatMap((cell) => cellColumns(cell, form));
  const table = single(question, column);
  switch (question['type']) {
    case 'matrix':
      return { ...table, shape: 'byRow', rows, rowTitles, columns: [{ ...column, kind: column.kind.row! }] };
    case 'multipletext': {
      const texts = cells();
      return {
        ...table,
        shape: 'byRow',
        rows: texts.map(({ name }) => name),
        rowTitles: texts.map(({ title }) => title),
        columns: [{ ...column, kind: plainKind }],
      };
    }
    case 'matrixdropdown':
      return { ...table, shape: 'byRowAndColumn', rows, rowTitles, columns: cells() };
    case 'matrixdynamic':
    case 'paneldynamic':
      return { ...table, shape: 'byColumn', columns: cells() };
    default:
      return null;
  }
}

/** A column of a table, and that of its comments. */
function cellColumns(cell: Node, form: FormTexts): AnswerColumn[] {
  if (memberOf(cell) === '') return [];
  const column = columnOf(cell, form);
  return hasComment(cell) ? [column, commentOf(cell, column, form)] : [column];
}

const hasComment = (question: Node): boolean =>
  isOn(question, 'showOtherItem', 'hasOther', 'showCommentArea', 'hasComment');
