import { digitsOf } from '@canvass/json-numbers';
import { readInBatches, type Database } from '@canvass/postgres';
import { cellsOf, type Cell } from '../answer-texts';
import { answerColumnsOf, columnNames } from '../answer-texts';
import { answersPrefix } from '../answer-texts';
import { csvCell, type CsvDialect } from './csv-cell';
import { csvCellsOf } from './csv.sql';
import { exportColumns, type ExportColumn } from './export-columns';
import type { SubmissionFilter } from './filter.sql';
import { answersQuery } from './list.sql';

/** What is known of the answers of a form. */
export interface AnswersOptions {
  profileFields: readonly string[];
  /** The definition of the form (SurveyJS). */
  definition: unknown;
  /** The locale of the labels of choices; null for their values. */
  locale: string | null;
}

/** A table with a column for each question instead of `jsonData`. */
export interface AnswersTable {
  members: ExportColumn[];
  /** Of the members, then of the answers. */
  names: string[];
  /** The cells of the answers. */
  cellsOf(jsonData: string): Cell[];
}

/** The last column. */
const otherAnswers = 'otherAnswers';

export function answersTable({ profileFields, definition, locale }: AnswersOptions): AnswersTable {
  const members = exportColumns(profileFields).filter(({ name }) => name !== 'jsonData');
  const answers = answerColumnsOf(definition, locale);
  const names = [
    ...members.map(({ name }) => name),
    ...answers.flatMap(columnNames).map((name) => answersPrefix + name),
    otherAnswers,
  ];
  return { members, names, cellsOf: (jsonData) => cellsOf(jsonData, answers) };
}

/** The way to write a CSV file with a column for each question. */
export interface AnswersCsv {
  /** The first line. */
  header: string;
  /** SQL expression: the cells of the other members. */
  cells: string;
  /** The line of a submission with these cells and answers. */
  lineOf(cells: string, jsonData: string): string;
}

export function answersCsv(options: AnswersOptions, dialect: CsvDialect): AnswersCsv {
  const { members, names, cellsOf } = answersTable(options);
  return {
    header: lineOf(names, dialect),
    cells: csvCellsOf(members, dialect),
    lineOf: (cells, jsonData) => `${cells}${dialect.separator}${lineOf(cellsOf(jsonData), dialect)}`,
  };
}

/**
 * The file as a stream. The answers are read here and not in Postgres, which would parse their text again for
 * each column.
 */
export async function* csvWithAnswers(
  db: Database,
  { filter, signal }: { filter: SubmissionFilter; signal: AbortSignal },
  csv: AnswersCsv,
): AsyncGenerator<string> {
  let text = csv.header;
  const query = answersQuery(filter, csv.cells);
  for await (const rows of readInBatches<[string, string]>(db, query, signal)) {
    for (const [cells, jsonData] of rows) text += csv.lineOf(cells, jsonData);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const lineOf = (cells: readonly Cell[], dialect: CsvDialect): string =>
  `${cells.map((cell) => cellText(cell, dialect)).join(dialect.separator)}\r\n`;

/** A number is no formula. */
function cellText(cell: Cell, dialect: CsvDialect): string {
  const digits = digitsOf(cell);
  if (digits === null) return csvCell(String(cell), dialect);
  return dialect.idsAsText ? csvCell(digits, { ...dialect, raw: true }) : digits;
}
