import { digitsOf } from '@canvass/json-numbers';
import { readInBatches, type Database } from '@canvass/postgres';
import { cellsOf, type Cell } from './answer-cells';
import { answerColumnsOf, columnNames } from './answer-columns';
import { answersPrefix } from './answer-path';
import { csvCell } from './csv-cell';
import { csvCellsOf } from './csv.sql';
import { exportColumns } from './export-columns';
import type { SubmissionFilter } from './filter.sql';
import { answersQuery } from './list.sql';

/** The way to write a CSV file with a column for each question. */
export interface AnswersCsv {
  /** The first line. */
  header: string;
  /** SQL expression: the cells of the other members. */
  cells: string;
  /** The line of a submission with these cells and answers. */
  lineOf(cells: string, jsonData: string): string;
}

export interface AnswersCsvOptions {
  raw: boolean;
  profileFields: readonly string[];
  /** The definition of the form (SurveyJS). */
  definition: unknown;
  /** The locale of the labels of choices; null for their values. */
  locale: string | null;
}

/** The last column. */
const otherAnswers = 'otherAnswers';

/** A CSV file with a column for each question instead of `jsonData`. */
export function answersCsv({ raw, profileFields, definition, locale }: AnswersCsvOptions): AnswersCsv {
  const members = exportColumns(profileFields).filter(({ name }) => name !== 'jsonData');
  const answers = answerColumnsOf(definition, locale);
  const names = [
    ...members.map(({ name }) => name),
    ...answers.flatMap(columnNames).map((name) => answersPrefix + name),
    otherAnswers,
  ];
  return {
    header: lineOf(names, raw),
    cells: csvCellsOf(members, raw),
    lineOf: (cells, jsonData) => `${cells},${lineOf(cellsOf(jsonData, answers), raw)}`,
  };
}

/**
 * The file as a stream. The answers are read here and not in Postgres, which would parse their text again for
 * each column.
 */
export async function* csvWithAnswers(
  db: Database,
  request: AnswersCsvOptions & { filter: SubmissionFilter; signal: AbortSignal },
): AsyncGenerator<string> {
  const csv = answersCsv(request);
  let text = csv.header;
  const query = answersQuery(request.filter, csv.cells);
  for await (const rows of readInBatches<[string, string]>(db, query, request.signal)) {
    for (const [cells, jsonData] of rows) text += csv.lineOf(cells, jsonData);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const lineOf = (cells: readonly Cell[], raw: boolean): string =>
  `${cells.map((cell) => digitsOf(cell) ?? csvCell(String(cell), raw)).join()}\r\n`;
