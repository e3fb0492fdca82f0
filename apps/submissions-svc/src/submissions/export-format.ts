import { answersCsv } from './export-answers';
import { csvLineOf } from './csv.sql';
import { exportColumns } from './export-columns';
import type { ExportBody } from './filter-query';

/** Content types of the formats. */
export const exportTypes: Record<ExportBody['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** JSON text of a submission. */
export const viewText = 'submission_json(s)::text';

export interface ExportOptions {
  format: ExportBody['format'];
  raw: boolean;
  /** Returns whether a CSV file has a column for each question. */
  answers: ExportBody['answers'];
  /** The locale of the labels of choices; null for their values. */
  locale: string | null;
  /** The definition of the form (SurveyJS); not used without columns of answers. */
  definition: unknown;
  /** Each is a column of a CSV file. */
  profileFields: readonly string[];
}

/** A submission as `select` of a format reads it. */
export interface ExportRow {
  line: string;
  /** Null unless answers have columns. */
  jsonData: string | null;
}

/** The way to write a file from rows. The bytes are those of a streamed export. */
export interface ExportFormat {
  begin: string;
  /** Columns over the submission `s`. */
  select: string;
  textOf(row: ExportRow, isFirst: boolean): string;
  endOf(isEmpty: boolean): string;
}

export function exportFormat({
  format,
  raw,
  answers,
  profileFields,
  ...options
}: ExportOptions): ExportFormat {
  const lines = (line: string, begin = ''): ExportFormat => ({
    begin,
    select: `${line} as line, null as "jsonData"`,
    textOf: (row) => row.line,
    endOf: () => '',
  });
  if (answers === 'columns') {
    const { header, cells, lineOf } = answersCsv({ ...options, raw, profileFields });
    return {
      begin: header,
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
  return lines(csvLineOf(columns, raw), `${columns.map(({ name }) => name).join(',')}\r\n`);
}
