import { WorkbookWriter, workbookType, type WorkbookState } from '@canvass/workbooks';
import type { CsvDialect } from './csv-cell';
import { csvLineOf } from './csv.sql';
import { answersCsv, type AnswersOptions } from './export-answers';
import { exportColumns } from './export-columns';
import { exportSheet, sheetName } from './export-sheet';
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

export interface ExportOptions extends AnswersOptions, CsvDialect {
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
  textOf(row: ExportRow, isFirst: boolean): string;
  endOf(isEmpty: boolean): string;
}

export const exportFormat = (options: ExportOptions): ExportFormat =>
  options.format === 'xlsx' ? workbookFormat(options) : written(textFormat(options));

const written = ({ begin, select, textOf, endOf }: TextFormat): ExportFormat => ({
  select,
  write: ({ rows, isFirst, isLast, written: before }) =>
    Promise.resolve({
      content: Buffer.from(
        [
          isFirst ? begin : '',
          ...rows.map((row, n) => textOf(row, before + n === 0)),
          isLast ? endOf(before + rows.length === 0) : '',
        ].join(''),
      ),
    }),
});

function workbookFormat(options: ExportOptions): ExportFormat {
  const { header, cells, rowOf } = exportSheet({ ...options, hasColumns: options.answers === 'columns' });
  return {
    select: `${cells} as line, s.json_data as "jsonData"`,
    async write({ rows, isLast, workbook }) {
      const writer = new WorkbookWriter(sheetName, header, workbook);
      const content = [await writer.write(rows.map(({ line, jsonData }) => rowOf(line, jsonData!)))];
      if (isLast) content.push(await writer.end());
      return { content: Buffer.concat(content), workbook: writer.state };
    },
  };
}

function textFormat(options: ExportOptions): TextFormat {
  const { format, answers, profileFields, separator, bom } = options;
  const mark = bom ? byteOrderMark : '';
  const lines = (line: string, begin = ''): TextFormat => ({
    begin,
    select: `${line} as line, null as "jsonData"`,
    textOf: (row) => row.line,
    endOf: () => '',
  });
  if (answers === 'columns') {
    const { header, cells, lineOf } = answersCsv(options, options);
    return {
      begin: mark + header,
      select: `${cells} as line, s.json_data as "jsonData"`,
      textOf: ({ line, jsonData }) => lineOf(line, jsonData!),
      endOf: () => '',
    };
  }
  if (format === 'ndjson') return lines(`${viewText} || E'\\n'`);
  if (format === 'json') {
    return {
      ...lines(viewText, '['),
      textOf: ({ line }, isFirst) => (isFirst ? `\n${line}` : `,\n${line}`),
      endOf: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
    };
  }
  const columns = exportColumns(profileFields);
  return lines(csvLineOf(columns, options), `${mark}${columns.map(({ name }) => name).join(separator)}\r\n`);
}
