import { digitsOf } from '@canvass/json-numbers';
import type { SheetCell } from '@canvass/workbooks';
import type { AnswerSources, Cell, StoredAnswers } from '../answer-texts';
import { exportColumns, type ExportColumn } from './export-columns';
import { answersTable, type AnswersTable, type TableOptions } from './export-table';
import type { FieldKind } from '../filters';

/** The way to write a sheet. */
export interface ExportSheet {
  header: readonly string[];
  /** SQL expression: a JSON array of the members. */
  cells: string;
  /** The rows of submissions with these cells and answers. */
  rowsOf(rows: readonly (StoredAnswers & { cells: string })[]): Promise<SheetCell[][]>;
}

/** The name of the first sheet. */
export const sheetName = 'Submissions';

/** The sheet of an export; with `hasColumns` it has a column for each question instead of `jsonData`. */
export function exportSheet(
  sources: AnswerSources,
  options: TableOptions & { hasColumns: boolean },
): ExportSheet {
  const { members, header, cellsOf } = options.hasColumns
    ? answersTable(sources, options)
    : plainTable(options.profileFields);
  // The answers are read beside the members.
  const valueOf = ({ name, column }: ExportColumn) => (name === 'jsonData' ? 'null::text' : column);
  return {
    header,
    cells: `json_build_array(${members.map(valueOf).join()})::text`,
    async rowsOf(rows) {
      const answers = await cellsOf(rows);
      return rows.map(({ cells, jsonData }, n) => {
        const values = JSON.parse(cells) as (string | null)[];
        const own = members.map(({ name, kind }, at) =>
          name === 'jsonData' ? jsonData : sheetCell(values[at]!, kind),
        );
        return [...own, ...answers[n]!.map(answerCell)];
      });
    },
  };
}

function plainTable(profileFields: readonly string[]): AnswersTable {
  const members = exportColumns(profileFields);
  return {
    members,
    header: members.map(({ name }) => name),
    cellsOf: (rows) => Promise.resolve(rows.map(() => [])),
  };
}

/** Significant digits that a spreadsheet keeps. */
const sheetDigits = 15;

/** An answer as a cell. A number that a spreadsheet would round is text. */
function answerCell(cell: Cell): SheetCell {
  const digits = digitsOf(cell);
  if (digits === null) return cell;
  const isKept = digits.replaceAll(/\D/g, '').length <= sheetDigits && Number.isFinite(Number(digits));
  return isKept ? Number(digits) : digits;
}

/** A member as a cell. Ids are text, because a spreadsheet keeps 15 digits. */
function sheetCell(text: string | null, kind: FieldKind): SheetCell {
  if (text === null) return null;
  if (kind === 'time') return new Date(text);
  if (kind === 'boolean') return text === 'true';
  return kind === 'integer' ? Number(text) : text;
}
