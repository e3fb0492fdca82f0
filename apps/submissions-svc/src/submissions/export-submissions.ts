import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import { readInBatches, readTexts, type Database } from '@canvass/postgres';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import { workbookOf } from '@canvass/workbooks';
import type { AnsweredForm, AnswerSources } from '../answer-texts';
import { csvLineOf } from './csv.sql';
import { answersCsv, csvWithAnswers } from './export-answers';
import { exportColumns } from './export-columns';
import { byteOrderMark, exportTypes, viewText, type ExportOptions } from './export-format';
import { exportSheet, sheetName } from './export-sheet';
import type { ExportBody } from './filter-query';
import type { SubmissionFilter } from '../filters';
import { answersQuery, exportQuery } from './list.sql';
import { getFormDefinition } from './read.sql';

export interface ExportSources extends AnswerSources {
  db: Database;
}

export interface ExportRequest
  extends
    Omit<ExportOptions, keyof AnsweredForm | 'titles'>,
    Pick<ExportBody, 'labels' | 'locale' | 'titles'> {
  filter: SubmissionFilter;
  signal: AbortSignal;
}

/** The locales of labels and titles, as far as a request asks for them. */
export const localesOf = ({ labels, titles, locale }: Pick<ExportBody, 'labels' | 'titles' | 'locale'>) => ({
  locale: labels ? (locale ?? 'default') : null,
  titles: titles ? (locale ?? 'default') : null,
});

/**
 * The submissions of a form as a file, in the order of ids, from one snapshot. Postgres builds the lines, and
 * they are forwarded as bytes, as fast as the client reads. If the client disconnects, the query is
 * cancelled.
 *
 * @throws {Problem} `not_found` for the form
 */
export async function exportSubmissions(sources: ExportSources, request: ExportRequest): Promise<Answer> {
  const { db } = sources;
  const { filter, format } = request;
  const { tenantId, formId } = filter;
  const [found] = await db.query(getFormDefinition({ tenantId, formId }));
  if (!found) throw notFound('form', formId);
  const { name, definition } = found;
  const { raw, answers, labels } = request;
  const columns = answers === 'columns' ? { columns: labels ? 'labels' : 'values' } : {};
  await recordAudit(db, { tenantId, object: ['form', formId], after: { format, raw, ...columns } });
  const form = { tenantId, formId, definition, ...localesOf(request) };
  const pieces = piecesOf(sources, request, { ...request, ...form });
  return streamed(exportTypes[format], streamText(pieces), {
    headers: { 'Content-Disposition': attachment(`${name} submissions`, format) },
  });
}

function piecesOf(
  sources: ExportSources,
  request: ExportRequest,
  options: ExportOptions,
): AsyncGenerator<Buffer | string> {
  const { format, answers } = options;
  if (format === 'xlsx') return workbookFile(sources, request, options);
  if (answers === 'columns') return answersFile(sources, request, options);
  return { csv: csvFile, ndjson: ndjsonFile, json: jsonFile }[format](sources.db, request);
}

/** A workbook; packed and written in batches of rows. */
function workbookFile(sources: ExportSources, { filter, signal }: ExportRequest, options: ExportOptions) {
  const hasColumns = options.answers === 'columns';
  const { header, cells, rowsOf } = exportSheet(sources, { ...options, hasColumns });
  const query = answersQuery(filter, cells);
  async function* batches() {
    for await (const rows of readInBatches<[string, string, string]>(sources.db, query, signal))
      yield await rowsOf(rows.map(([members, jsonData, at]) => ({ cells: members, jsonData, at })));
  }
  return workbookOf(sheetName, header, batches());
}

function answersFile(sources: ExportSources, request: ExportRequest, options: ExportOptions) {
  const csv = answersCsv(sources, options, options);
  const mark = options.bom ? byteOrderMark : '';
  return csvWithAnswers(sources.db, request, { ...csv, header: mark + csv.header });
}

/** The header is sent with the first rows, so that an earlier failure is a normal Problem. */
async function* csvFile(db: Database, request: ExportRequest): AsyncGenerator<Buffer> {
  const columns = exportColumns(request.profileFields);
  // Names of fields need no quotes.
  const mark = request.bom ? byteOrderMark : '';
  let header = `${mark}${columns.map(({ name }) => name).join(request.separator)}\r\n`;
  for await (const piece of lines(db, request, csvLineOf(columns, request))) {
    yield header === '' ? piece : Buffer.concat([Buffer.from(header), piece]);
    header = '';
  }
  if (header !== '') yield Buffer.from(header);
}

/** JSON text contains no line breaks: those in strings are escaped. */
const ndjsonFile = (db: Database, request: ExportRequest) => lines(db, request, `${viewText} || E'\\n'`);

/**
 * An array with one submission per line. Each starts with a comma; the comma of the first becomes the
 * bracket.
 */
async function* jsonFile(db: Database, request: ExportRequest): AsyncGenerator<Buffer> {
  let isEmpty = true;
  for await (const piece of lines(db, request, `E',\\n' || ${viewText}`)) {
    if (isEmpty) piece.write('[');
    isEmpty = false;
    yield piece;
  }
  yield Buffer.from(isEmpty ? '[]\n' : '\n]\n');
}

function lines(db: Database, { filter, signal }: ExportRequest, line: string): AsyncGenerator<Buffer> {
  return readTexts(db, exportQuery(filter, line), signal);
}
