import { digitsOf } from '@canvass/json-numbers';
import type { SheetCell } from '@canvass/workbooks';
import type { Cell } from '../answer-texts';
import { answersTable, type AnswersOptions } from './export-answers';
import { exportColumns, type ExportColumn } from './export-columns';
import type { FieldKind } from './filter-fields';

/** The way to write a sheet. */
export interface ExportSheet {
  header: readonly string[];
  /** SQL expression: a JSON array of the members. */
  cells: string;
  /** The row of a submission with these cells and answers. */
  rowOf(cells: string, jsonData: string): SheetCell[];
}

/** The name of the first sheet. */
export const sheetName = 'Submissions';

/** The sheet of an export; with `hasColumns` it has a column for each question instead of `jsonData`. */
export function exportSheet(options: AnswersOptions & { hasColumns: boolean }): ExportSheet {
  const table = options.hasColumns
    ? answersTable(options)
    : { members: exportColumns(options.profileFields), names: null, cellsOf: () => [] };
  const { members, cellsOf } = table;
  // The answers are read beside the members.
  const valueOf = ({ name, column }: ExportColumn) => (name === 'jsonData' ? 'null::text' : column);
  return {
    header: table.names ?? members.map(({ name }) => name),
    cells: `json_build_array(${members.map(valueOf).join()})::text`,
    rowOf(cells, jsonData) {
      const values = JSON.parse(cells) as (string | null)[];
      const own = members.map(({ name, kind }, at) =>
        name === 'jsonData' ? jsonData : sheetCell(values[at]!, kind),
      );
      return [...own, ...cellsOf(jsonData).map(answerCell)];
    },
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
