import { digitsOf } from '@canvass/json-numbers';
import { readInBatches, type Database } from '@canvass/postgres';
import type { AnswerSources, Cell, StoredAnswers } from '../answer-texts';
import { csvCell, type CsvDialect } from './csv-cell';
import { csvCellsOf } from './csv.sql';
import { answersTable, type TableOptions } from './export-table';
import type { SubmissionFilter } from '../filters';
import { answersQuery } from './list.sql';

/** A submission with the cells of its other members. */
interface CsvRow extends StoredAnswers {
  cells: string;
}

/** The way to write a CSV file with a column for each question. */
export interface AnswersCsv {
  /** The first line. */
  header: string;
  /** SQL expression: the cells of the other members. */
  cells: string;
  linesOf(rows: readonly CsvRow[]): Promise<string>;
}

export function answersCsv(sources: AnswerSources, options: TableOptions, dialect: CsvDialect): AnswersCsv {
  const { members, header, cellsOf } = answersTable(sources, options);
  const hasMembers = members.length > 0;
  return {
    header: lineOf(header, dialect),
    cells: hasMembers ? csvCellsOf(members, dialect) : "''",
    async linesOf(rows) {
      const answers = await cellsOf(rows);
      const lines = rows.map(({ cells }, n) => {
        const line = lineOf(answers[n]!, dialect);
        if (!hasMembers) return line;
        return answers[n]!.length === 0 ? `${cells}\r\n` : `${cells}${dialect.separator}${line}`;
      });
      return lines.join('');
    },
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
  for await (const rows of readInBatches<[string, string, string]>(db, query, signal)) {
    yield text + (await csv.linesOf(rows.map(([cells, jsonData, at]) => ({ cells, jsonData, at }))));
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
