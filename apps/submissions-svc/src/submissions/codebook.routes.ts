import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import {
  attachment,
  endpoint,
  formatSchema,
  streamed,
  streamText,
  type DescribedAnswer,
  type Endpoint,
} from '@canvass/service-kit';
import { csvOptions, workbookOf, workbookType } from '@canvass/workbooks';
import Joi from 'joi';
import { formParams } from '../form-params';
import { codebookHeader, codebookOf } from './codebook';
import { csvCell, type CsvDialect } from './csv-cell';
import { byteOrderMark, exportTypes } from './export-format';
import { getFormDefinition } from './read.sql';

interface CodebookQuery extends Omit<CsvDialect, 'raw'> {
  format: 'csv' | 'xlsx';
  locale: string;
  bom: boolean;
}

const query = Joi.object<CodebookQuery>({
  format: formatSchema('csv', 'xlsx').description('format of the file, case-insensitive'),
  locale: Joi.string()
    .max(35)
    .allow('')
    .default('')
    .description('of titles and labels; without it, or where a text has no such locale, the default one')
    .example('de'),
  ...csvOptions,
});

const codebookFile: DescribedAnswer = {
  description: 'The file. It ends after 100,000 lines.',
  content: {
    'text/csv': `format \`csv\`: RFC 4180 with the header \`${codebookHeader.join()}\``,
    [workbookType]: 'format `xlsx`: the same as a sheet',
  },
  headers: { 'Content-Disposition': 'attachment, named after the form' },
};

/** What the columns of exports mean. */
export const codebookRoutes = ({ db }: { db: Database }): Endpoint[] => [
  endpoint.read({
    method: 'get',
    path: '/api/forms/:formId/codebook',
    operationId: 'getFormCodebook',
    summary: 'The columns of exports with their questions, types, values and labels, as a file',
    description:
      'A line for each column of `answers: columns`, or for each value that it may have. Values of a data list are those of the list that `dataList` names.',
    access: { permission: 'Forms.View' },
    params: formParams,
    query,
    answers: { 200: codebookFile },
    async handle({ principal: { tenantId }, params: { formId }, query: { format, locale, ...csv } }) {
      const [form] = await db.query(getFormDefinition({ tenantId, formId }));
      if (!form) throw notFound('form', formId);
      const lines = codebookOf(form.definition, locale);
      const pieces =
        format === 'csv' ? csvOf(lines, csv) : workbookOf('Codebook', codebookHeader, batchesOf(lines));
      return streamed(exportTypes[format], streamText(pieces), {
        headers: { 'Content-Disposition': attachment(`${form.name} codebook`, format) },
      });
    },
  }),
];

async function* csvOf(
  lines: Iterable<string[]>,
  { bom, ...csv }: Pick<CodebookQuery, 'bom' | 'separator' | 'idsAsText'>,
): AsyncGenerator<string> {
  const dialect = { ...csv, raw: false };
  const lineOf = (cells: string[]) =>
    `${cells.map((cell) => csvCell(cell, dialect)).join(csv.separator)}\r\n`;
  yield (bom ? byteOrderMark : '') + lineOf(codebookHeader);
  for await (const batch of batchesOf(lines)) yield batch.map(lineOf).join('');
}

/** Batches after which other requests get their turn. */
async function* batchesOf(lines: Iterable<string[]>): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < 1_000) continue;
    yield batch;
    batch = [];
    await new Promise(setImmediate);
  }
  if (batch.length > 0) yield batch;
}
