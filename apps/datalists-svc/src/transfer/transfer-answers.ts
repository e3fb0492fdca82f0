import {
  dataListExample,
  dataListItemExample,
  dataListItemSchema,
  dataListMembers,
  exactObject,
  type DataListItem,
} from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import { separators, workbookType } from '@canvass/workbooks';
import Joi from 'joi';
import type { DifferenceSample } from './difference-sample';
import type { ImportAnswer, ImportReport } from './import-list';
import type { FileFormat } from './csv-dialect';
import type { FilePreview } from './preview-file';

/** Responses of import and export, for documents and tests. */

/** How a table was read. */
export const fileFormat = exactObject<FileFormat>('ImportFileFormat', {
  format: Joi.string().valid('csv', 'xlsx').description('format of the file'),
  encoding: Joi.string()
    .valid('utf-8', 'utf-16le', 'utf-16be', 'windows-1252')
    .allow(null)
    .description('encoding of the file; null for CSV in a JSON body and for a workbook'),
  separator: Joi.string()
    .valid(...separators)
    .allow(null)
    .description('sign between its cells; null for a workbook'),
  sheet: Joi.string().allow('', null).description('name of the sheet that was read; null for CSV'),
})
  .allow(null)
  .description('what was detected in a CSV file or a workbook; null for JSON');

const previewExample: FilePreview = {
  file: { format: 'xlsx', encoding: null, separator: null, sheet: 'Countries' },
  columns: [
    { name: 'Code', key: null },
    { name: 'default', key: 'default' },
  ],
  rows: [['IS', 'Iceland']],
};

export const filePreview: DescribedAnswer = {
  description: 'The header and the first rows.',
  body: exactObject<FilePreview>('ImportPreview', {
    file: fileFormat.disallow(null),
    columns: Joi.array()
      .items(
        exactObject<FilePreview['columns'][number]>('ImportPreviewColumn', {
          name: Joi.string().allow('').description('its name in the header'),
          key: Joi.string()
            .allow(null)
            .description(
              'what an import takes it for: `value`, `default`, a locale; null: `columns` must map it',
            ),
        }),
      )
      .max(200)
      .description('columns of the file, in its order'),
    rows: Joi.array()
      .items(Joi.array().items(Joi.string().allow('')))
      .max(20)
      .description('the first rows below the header, each text with its first 200 characters'),
  }).example(previewExample),
  example: previewExample,
};

const count = Joi.number().integer().min(0);

const report = exactObject<ImportReport>('ImportReport', {
  rows: count.description('number of items read'),
  added: count.description('number of new values'),
  changed: count.description('number of values with changed labels'),
  removed: count.description('number of removed values'),
  unchanged: count.description('number of values with the same labels'),
  durationMs: count.description('duration in milliseconds'),
  file: fileFormat,
}).description('Summary of the changes.');

const labels = Joi.object<DataListItem['labels']>().pattern(Joi.string(), Joi.string().allow(''));
const sample = (what: string) => Joi.array().items(dataListItemSchema).max(100).description(what);

const changedItem = exactObject<DifferenceSample['changed'][number]>('ChangedItem', {
  value: Joi.string().description('invariant key of the item'),
  before: labels.description('current labels'),
  after: labels.description('labels after the import'),
});

const difference = exactObject<DifferenceSample>('ImportDifference', {
  added: sample('new items'),
  changed: Joi.array().items(changedItem).max(100).description('items with changed labels'),
  removed: sample('removed items'),
  unchanged: sample('unchanged items'),
}).description('The first 100 of each kind, by value.');

const example: ImportAnswer = {
  ...dataListExample,
  import: { rows: 249, added: 2, changed: 1, removed: 0, unchanged: 246, durationMs: 84, file: null },
};

const importAnswer = exactObject<ImportAnswer>(
  'ImportedDataList',
  { ...dataListMembers, import: report },
  { difference: difference.description('only with dryRun: the changes of an import') },
)
  .description('A list after an import, without its items.')
  .example(example);

export const importedList: DescribedAnswer = {
  description: 'The list after the import (unchanged by a dry run) and a summary.',
  body: importAnswer,
  headers: revisionHeader,
  example,
};

export const exportedItems: DescribedAnswer = {
  description: 'All items, streamed in the order of their import. An aborted transfer is incomplete.',
  body: Joi.array().items(dataListItemSchema),
  content: {
    'text/csv':
      'RFC 4180: columns `value,default` and the available locales in their order; CRLF, UTF-8; without options no byte order mark.',
    [workbookType]: 'The columns of CSV in a sheet. A cell is text and never a formula.',
    'application/x-ndjson': 'One `{ value, labels }` per line.',
  },
  headers: { 'Content-Disposition': 'an attachment with the name of the list' },
  example: [dataListItemExample],
};
