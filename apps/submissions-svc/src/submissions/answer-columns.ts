import { maxAnswerPathLength } from './answer-path';

/** Texts of choices by their value. */
export type Labels = ReadonlyMap<string, string>;

/** Columns of a CSV file for one answer, in their order. Their cells are those of `cellsOf`. */
export interface AnswerColumns {
  /** The member of `jsonData`. */
  member: string;
  shape: 'single' | 'byRow' | 'byRowAndColumn' | 'byColumn';
  /** Names of rows, of `byRow` and `byRowAndColumn`. */
  rows: readonly string[];
  /** The columns of a table with the labels of their cells; one of `single` and `byRow`. */
  columns: readonly { name: string; labels: Labels }[];
  isFile: boolean;
}

/** The number of columns of a file. What has no column is in `otherAnswers`. */
const maxColumns = 2000;

const commentSuffix = '-Comment';
const withoutAnswer = new Set(['panel', 'flowpanel', 'html', 'image']);
const none: Labels = new Map();

type Node = Record<string, unknown>;

/**
 * The columns of a form's answers, from its definition (SurveyJS), in its order.
 *
 * @param locale of the labels; null for values instead of labels
 */
export function answerColumnsOf(definition: unknown, locale: string | null): AnswerColumns[] {
  const taken = new Set<string>();
  return questionsOf(definition)
    .flatMap((question) => columnsOf(question, locale))
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

/** The elements that have an answer. Those within a question belong to it. */
function questionsOf(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(questionsOf);
  if (!isNode(node)) return [];
  const { name, type, pages, elements, questions } = node;
  const isNamed = typeof name === 'string' && name !== '';
  const isQuestion = isNamed && typeof type === 'string' && !withoutAnswer.has(type);
  return [...(isQuestion ? [node] : []), ...[pages, elements, questions].flatMap(questionsOf)];
}

/** The columns of a question and of its comment. */
function columnsOf(question: Node, locale: string | null): AnswerColumns[] {
  const member = memberOf(question);
  const columns = [tableOf(question, member, locale) ?? single(member, question, locale)];
  return hasComment(question) ? [...columns, single(`${member}${commentSuffix}`, {}, null)] : columns;
}

function single(member: string, question: Node, locale: string | null): AnswerColumns {
  const columns = [{ name: member, labels: labelsOf(question, locale) }];
  return { member, shape: 'single', rows: [], columns, isFile: question['type'] === 'file' };
}

/** Null for a question that is not a table, or a table without cells. */
function tableOf(question: Node, member: string, locale: string | null): AnswerColumns | null {
  const rows = itemsOf(question['rows']).map(({ value }) => value);
  const cells = () =>
    listOf(question['columns']).flatMap((column) => cellColumns(column, locale, question['choices']));
  const table = { member, isFile: false };
  const found = ((): AnswerColumns | null => {
    switch (question['type']) {
      case 'matrix': {
        const labels = labelsOf({ choices: question['columns'] }, locale);
        return { ...table, shape: 'byRow', rows, columns: [{ name: member, labels }] };
      }
      case 'multipletext': {
        const items = listOf(question['items'])
          .map(memberOf)
          .filter((item) => item !== '');
        return { ...table, shape: 'byRow', rows: items, columns: [{ name: member, labels: none }] };
      }
      case 'matrixdropdown':
        return { ...table, shape: 'byRowAndColumn', rows, columns: cells() };
      case 'matrixdynamic':
        return { ...table, shape: 'byColumn', rows: [], columns: cells() };
      case 'paneldynamic': {
        const columns = questionsOf(question['templateElements']).flatMap((element) =>
          cellColumns(element, locale),
        );
        return { ...table, shape: 'byColumn', rows: [], columns };
      }
      default:
        return null;
    }
  })();
  return found && columnNames(found).length > 0 ? found : null;
}

/** A column of a table, and that of its comments. A column without choices has those of the table. */
function cellColumns(column: Node, locale: string | null, choices?: unknown): AnswerColumns['columns'] {
  const name = memberOf(column);
  if (name === '') return [];
  const own = itemsOf(column['choices']).length > 0;
  const labels = labelsOf(own ? column : { ...column, choices }, locale);
  return hasComment(column)
    ? [
        { name, labels },
        { name: `${name}${commentSuffix}`, labels: none },
      ]
    : [{ name, labels }];
}

/** The member where the answer is stored. */
const memberOf = ({ name, valueName }: Node): string =>
  typeof valueName === 'string' && valueName !== '' ? valueName : textOfName(name);

const textOfName = (name: unknown) => (typeof name === 'string' ? name : '');

const hasComment = (question: Node): boolean =>
  ['showOtherItem', 'hasOther', 'showCommentArea', 'hasComment'].some((name) => question[name] === true);

function labelsOf(question: Node, locale: string | null): Labels {
  if (locale === null) return none;
  const { choices, rateValues, labelTrue, labelFalse, type } = question;
  const sides =
    type === 'boolean'
      ? [
          { value: 'true', text: labelTrue },
          { value: 'false', text: labelFalse },
        ]
      : [];
  return new Map(
    [...itemsOf(choices), ...itemsOf(rateValues), ...sides].flatMap(({ value, text }) => {
      const label = labelIn(text, locale);
      return label === null ? [] : [[value, label]];
    }),
  );
}

/** A text, or texts by locale. */
function labelIn(text: unknown, locale: string): string | null {
  if (typeof text === 'string') return text;
  if (!isNode(text)) return null;
  const found = [locale, 'default'].find((key) => Object.hasOwn(text, key) && typeof text[key] === 'string');
  return found === undefined ? null : (text[found] as string);
}

/** Choices and rows: a value, or a value with its text. */
const itemsOf = (list: unknown): { value: string; text: unknown }[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item) => {
    const { value, text } = isNode(item) ? item : { value: item, text: undefined };
    return isPlain(value) ? [{ value: String(value), text }] : [];
  });

const listOf = (list: unknown): Node[] => (Array.isArray(list) ? list.filter(isNode) : []);

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
