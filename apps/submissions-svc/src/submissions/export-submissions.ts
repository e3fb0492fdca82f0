import { readInBatches, type Database } from '@canvass/postgres';
import { attachment, streamed, streamText, type Answer } from '@canvass/service-kit';
import { csvLine } from './csv-cells';
import { exportColumns } from './export-columns';
import type { ExportBody } from './filter-query';
import type { SubmissionFilter } from './filter.sql';
import { formNameOf } from './list-submissions';
import { exportQuery } from './list.sql';

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

export interface ExportRequest {
  filter: SubmissionFilter;
  format: ExportBody['format'];
  raw: boolean;
  /** Each is a column of a CSV file. */
  profileFields: readonly string[];
  signal: AbortSignal;
}

/**
 * The submissions of a form as a file, in the order of ids, as of one moment: read from a cursor as fast as the client takes them.
 * A client that goes away ends the query.
 *
 * @throws {Problem} `not_found` for the form
 */
export async function exportSubmissions(db: Database, request: ExportRequest): Promise<Answer> {
  const { filter, format } = request;
  const name = await formNameOf(db, filter.tenantId, filter.formId);
  const pieces = { csv: csvText, ndjson: ndjsonText, json: jsonText }[format](db, request);
  return streamed(types[format], streamText(pieces), {
    headers: { 'Content-Disposition': attachment(`${name} submissions`, format) },
  });
}

async function* csvText(db: Database, request: ExportRequest): AsyncGenerator<string> {
  const { profileFields, raw } = request;
  const columns = exportColumns(profileFields);
  const sql = columns.map(({ column }) => column);
  let text = csvLine(
    columns.map(({ name }) => name),
    raw,
  );
  for await (const rows of batches<(string | null)[]>(db, request, sql)) {
    for (const cells of rows) text += csvLine(cells, raw);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* ndjsonText(db: Database, request: ExportRequest): AsyncGenerator<string> {
  for await (const rows of batches<[string]>(db, request, 'json')) {
    yield `${rows.map(([line]) => line).join('\n')}\n`;
  }
}

/** An array with one submission per line. */
async function* jsonText(db: Database, request: ExportRequest): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches<[string]>(db, request, 'json')) {
    yield separator + rows.map(([line]) => line).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function batches<Row extends (string | null)[]>(
  db: Database,
  { filter, signal }: ExportRequest,
  columns: Parameters<typeof exportQuery>[1],
): AsyncIterable<Row[]> {
  const { sql, values } = exportQuery(filter, columns);
  return readInBatches<Row>(db, sql, values, signal);
}
