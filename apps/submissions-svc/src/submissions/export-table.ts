import {
  answerColumnsOf,
  answersPrefix,
  columnNames,
  columnTitles,
  createAnswersReader,
  type AnsweredForm,
  type AnswerColumns,
  type AnswerSources,
  type Cell,
  type StoredAnswers,
} from '../answer-texts';
import { exportColumns, type ExportColumn } from './export-columns';

/** What a table with a column for each question shows. */
export interface TableOptions extends AnsweredForm {
  profileFields: readonly string[];
  /** The locale of the titles of questions in the header; null for their names. */
  titles: string | null;
  /** Members, and answers by the name of their question; all if absent. */
  fields?: readonly string[] | undefined;
  /** Headings of members by their name. */
  headings: Readonly<Record<string, string>>;
}

/** A table with a column for each question instead of `jsonData`. */
export interface AnswersTable {
  members: ExportColumn[];
  /** Headings of the members, then of the answers. */
  header: string[];
  /** The cells of the answers, by submission. */
  cellsOf(answers: readonly StoredAnswers[]): Promise<Cell[][]>;
}

/** The last column: the answers that have no column. */
const otherAnswers = 'otherAnswers';
const commentSuffix = /-Comment$/;

export function answersTable(sources: AnswerSources, options: TableOptions): AnswersTable {
  const { profileFields, titles, fields, headings } = options;
  const all = exportColumns(profileFields).filter(({ name }) => name !== 'jsonData');
  const members = fields === undefined ? all : chosen(all, fields);
  const reader = createAnswersReader(sources, options);
  const names = [...reader.columns.flatMap(namesOf), otherAnswers];
  const titled = titles === null ? names : titlesOf(options.definition, titles, names);
  const places = fields === undefined ? names.map((_, n) => n) : placesOf(reader.columns, fields);
  const heading = (name: string) => headings[name] ?? name;
  return {
    members,
    header: [...members.map(({ name }) => heading(name)), ...places.map((n) => heading(titled[n]!))],
    async cellsOf(answers) {
      const cells = await reader.cellsOf(answers);
      return fields === undefined ? cells : cells.map((row) => places.map((n) => row[n]!));
    },
  };
}

const namesOf = (answer: AnswerColumns): string[] => columnNames(answer).map((name) => answersPrefix + name);

/** Titles in the header. Where several questions have the same, the name of the question follows. */
function titlesOf(definition: unknown, locale: string, names: readonly string[]): string[] {
  const columns = answerColumnsOf(definition, locale);
  const titles = [...columns.flatMap(columnTitles), otherAnswers];
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return titles.map((title, n) =>
    counts.get(title) === 1 ? title : `${title} (${names[n]!.slice(answersPrefix.length)})`,
  );
}

const chosen = (columns: readonly ExportColumn[], fields: readonly string[]): ExportColumn[] =>
  fields.flatMap((field) => columns.find(({ name }) => name === field) ?? []);

/** The places of the chosen answers with their comments, in the order of `fields`. */
function placesOf(columns: readonly AnswerColumns[], fields: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  let count = 0;
  for (const answer of columns) {
    const field = answersPrefix + answer.member.replace(commentSuffix, '');
    const own = columnNames(answer).map(() => count++);
    places.set(field, [...(places.get(field) ?? []), ...own]);
  }
  places.set(otherAnswers, [count]);
  return fields.flatMap((field) => places.get(field) ?? []);
}
