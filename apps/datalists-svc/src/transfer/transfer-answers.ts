import {
  dataListExample,
  dataListItemExample,
  dataListItemSchema,
  dataListMembers,
  exactObject,
  type DataListItem,
} from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { DifferenceSample } from './difference.sql';
import type { ImportAnswer, ImportReport } from './import-list';

/** What import and export of a list answer, for documents and tests. */

const count = Joi.number().integer().min(0);

const report = exactObject<ImportReport>('ImportReport', {
  rows: count.description('items that were read'),
  added: count.description('values that the list did not have'),
  changed: count.description('values whose labels differ'),
  removed: count.description('values that the list has no more'),
  unchanged: count.description('values with the same labels'),
  durationMs: count.description('how long it took, in milliseconds'),
}).description('How the items differ from those before.');

const labels = Joi.object<DataListItem['labels']>().pattern(Joi.string(), Joi.string().allow(''));
const sample = (what: string) => Joi.array().items(dataListItemSchema).max(100).description(what);

const changedItem = exactObject<DifferenceSample['changed'][number]>('ChangedItem', {
  value: Joi.string().description('invariant key of the row'),
  before: labels.description('labels that the list has'),
  after: labels.description('labels that it would have'),
});

const difference = exactObject<DifferenceSample>('ImportDifference', {
  added: sample('items that the list does not have'),
  changed: Joi.array().items(changedItem).max(100).description('items whose labels differ'),
  removed: sample('items that the list would lose'),
  unchanged: sample('items that would stay as they are'),
}).description('The first 100 of each kind, by value.');

const example: ImportAnswer = {
  ...dataListExample,
  import: { rows: 249, added: 2, changed: 1, removed: 0, unchanged: 246, durationMs: 84 },
};

const importAnswer = exactObject<ImportAnswer>(
  'ImportedDataList',
  { ...dataListMembers, import: report },
  { difference: difference.description('only with dryRun: what an import would change') },
)
  .description('A list after an import, without its items.')
  .example(example);

export const importedList: DescribedAnswer = {
  description: 'The list as it is now, or as it is without the changes of a dry run; and what was read.',
  body: importAnswer,
  headers: revisionHeader,
  example,
};

export const exportedItems: DescribedAnswer = {
  description: 'All items, streamed in the order of their import. A transfer that breaks off is not whole.',
  body: Joi.array().items(dataListItemSchema),
  content: {
    'text/csv':
      'RFC 4180: columns `value,default` and the available locales in their order; CRLF, UTF-8, no byte order mark.',
    'application/x-ndjson': 'One `{ value, labels }` per line.',
  },
  headers: { 'Content-Disposition': "an attachment with the list's name" },
  example: [dataListItemExample],
};
