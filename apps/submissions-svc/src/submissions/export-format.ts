import { WorkbookWriter, workbookType, type WorkbookState } from '@canvass/workbooks';
import type { CsvDialect } from './csv-cell';
import { csvLineOf } from './csv.sql';
import { answeredAt, type AnswerSources } from '../answer-texts';
import { answersCsv } from './export-answers';
import { exportColumns } from './export-columns';
import { exportSheet, sheetName } from './export-sheet';
import type { TableOptions } from './export-table';
import type { ExportBody } from './filter-query';

/** Content types of the formats. */
export const exportTypes: Record<ExportBody['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: workbookType,
};

/** JSON text of a submission. */
export const viewText = 'submission_json(s)::text';

/** A mark at the start of a file by which a spreadsheet knows UTF-8. */
export const byteOrderMark = '\ufeff';

export interface ExportOptions extends TableOptions, CsvDialect {
  format: ExportBody['format'];
  bom: boolean;
  /** Returns whether a table has a column for each question. */
  answers: ExportBody['answers'];
}

/** A submission as `select` of a format reads it. */
export interface ExportRow {
  line: string;
  /** Null unless answers have columns or the format is a workbook. */
  jsonData: string | null;
  /** When the answers were given; null without them. */
  at: string | null;
}

/** Which rows of a file they are. */
export interface ExportPiece {
  rows: readonly ExportRow[];
  isFirst: boolean;
  isLast: boolean;
  /** Rows of the earlier pieces. */
  written: number;
  /** The state that the piece before returned. */
  workbook: WorkbookState | undefined;
}

/** The way to write a file from rows, in pieces. Text has the bytes of a streamed export. */
export interface ExportFormat {
  /** Columns over the submission `s`. */
  select: string;
  write(piece: ExportPiece): Promise<{ content: Buffer; workbook?: WorkbookState }>;
}

/** A format of text: what is before, between and after the lines. */
interface TextFormat {
  begin: string;
  select: string;
  textOf(rows: readonly ExportRow[], isFirst: boolean): string | Promise<string>;
  endOf(isEmpty: boolean): string;
}

export const exportFormat = (sources: AnswerSources, options: ExportOptions): ExportFormat =>
  options.format === 'xlsx' ? workbookFormat(sources, options) : written(textFormat(sources, options));

const written = ({ begin, select, textOf, endOf }: TextFormat): ExportFormat => ({
  select,
  async write({ rows, isFirst, isLast, written: before }) {
    const parts = [
      isFirst ? begin : '',
      await textOf(rows, before === 0),
      isLast ? endOf(before + rows.length === 0) : '',
    ];
    return { content: Buffer.from(parts.join('')) };
  },
});

/** Columns of a row with its answers. */
const selectAnswers = (cells: string) => `${cells} as line, s.json_data as "jsonData", ${answeredAt} as at`;

/** The rows of `selectAnswers`. */
const withAnswers = (rows: readonly ExportRow[]) =>
  rows.map(({ line, jsonData, at }) => ({ cells: line, jsonData: jsonData!, at: at! }));

function workbookFormat(sources: AnswerSources, options: ExportOptions): ExportFormat {
  const hasColumns = options.answers === 'columns';
  const { header, cells, rowsOf } = exportSheet(sources, { ...options, hasColumns });
  return {
    select: selectAnswers(cells),
    async write({ rows, isLast, workbook }) {
      const writer = new WorkbookWriter(sheetName, header, workbook);
      const content = [await writer.write(await rowsOf(withAnswers(rows)))];
      if (isLast) content.push(await writer.end());
      return { content: Buffer.concat(content), workbook: writer.state };
    },
  };
}

function textFormat(sources: AnswerSources, options: ExportOptions): TextFormat {
  const { format, answers, profileFields, separator, bom } = options;
  const mark = bom ? byteOrderMark : '';
  const lines = (line: string, begin = ''): TextFormat => ({
    begin,
    select: `${line} as line, null as "jsonData", null as at`,
    textOf: (rows) => rows.map((row) => row.line).join(''),
    endOf: () => '',
  });
  if (answers === 'columns') {
    const { header, cells, linesOf } = answersCsv(sources, options, options);
    return {
      begin: mark + header,
      select: selectAnswers(cells),
      textOf: (rows) => linesOf(withAnswers(rows)),
      endOf: () => '',
    };
  }
  if (format === 'ndjson') return lines(`${viewText} || E'\\n'`);
  if (format === 'json') {
    return {
      ...lines(viewText, '['),
      textOf: (rows, isFirst) =>
        rows.map(({ line }, n) => (isFirst && n === 0 ? `\n${line}` : `,\n${line}`)).join(''),
      endOf: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
    };
  }
  const columns = exportColumns(profileFields);
  return lines(csvLineOf(columns, options), `${mark}${columns.map(({ name }) => name).join(separator)}\r\n`);
}
