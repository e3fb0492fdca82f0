import { actorSchema } from '@canvass/audit';
import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import { differenceCounts, type Difference } from '../items';
import { faultCodes, type Fault } from './faults';
import { importModes } from './item-rules';
import { importStates } from './imports.sql';
import type { ImportView } from './read-import';
import { fileFormat } from './transfer-answers';

/** Responses of the operations on staged imports, for documents and tests. */

const example: ImportView = {
  id: '186512345690000128',
  state: 'ready',
  mode: 'replace',
  format: 'csv',
  ensureLocales: ['pl'],
  bytes: 12_480,
  rows: 249,
  faults: 0,
  faultsByCode: {},
  isWhole: true,
  file: { format: 'csv', encoding: 'windows-1252', separator: ';', sheet: null },
  difference: { added: 2, changed: 1, removed: 0, unchanged: 246 },
  revision: '7',
  createdBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2026-11-21T12:00:00.000Z',
};

const count = Joi.number().integer().min(0);

const stagedImport = exactObject<ImportView>('DataListImport', {
  id: wireId.description('id of the import'),
  state: Joi.string()
    .valid(...importStates)
    .description('`rejected`: the file has errors and nothing can be applied'),
  mode: Joi.string()
    .valid(...importModes)
    .description(
      '`replace`: the items of the file become all items of the list; `merge`: they are added or change others by value',
    ),
  format: Joi.string().valid('csv', 'xlsx', 'ndjson', 'json').description('format of the file'),
  ensureLocales: Joi.array().items(Joi.string()).description('locales that the list gets with the items'),
  bytes: count.description('bytes received so far; 0 for JSON'),
  rows: count.description('number of items without errors so far'),
  faults: count.description('number of errors so far'),
  faultsByCode: Joi.object()
    .pattern(Joi.string().valid(...faultCodes), count)
    .description('number of errors by code, once the file is read'),
  isWhole: Joi.boolean().description(
    'whether the file was read to its end; an error such as a missing header, and too many errors, end the reading',
  ),
  file: fileFormat,
  difference: exactObject<Difference>('DifferenceCounts', differenceCounts)
    .allow(null)
    .description('changes of the items when the file was read, or by the import once applied'),
  revision: wireId
    .allow(null)
    .description('revision of the list that `difference` was made with, or that the list got once applied'),
  createdBy: actorSchema.allow(null).description('who sent it; null if unknown'),
  createdAt: wireDate.description('when its upload began'),
  expiresAt: wireDate.description('when it is deleted, with its items unless applied'),
})
  .description('The items of a file, checked and stored, but not in force.')
  .example(example);

/** The ETag is a digest, because a staged import has no revision of its own. */
const headers = { ETag: 'changes with the import; for If-Match and If-None-Match' };

export const stagedAnswer: DescribedAnswer = {
  description: 'The import: `ready` to be applied, or `rejected` for its errors.',
  body: stagedImport,
  headers: { Location: 'the URL of the import', ...headers },
  example,
};

export const oneImport: DescribedAnswer = {
  description: 'The import.',
  body: stagedImport,
  headers,
  example,
};

export const pageOfImportsAnswer = listAnswer(
  'DataListImport',
  stagedImport,
  example,
  'The imports of the list, newest first.',
);

const faultExample: Fault = {
  line: 3,
  column: 2,
  field: 'default',
  code: 'default_missing',
  message: 'The default label is missing.',
};

const fault = exactObject<Fault>('ImportFault', {
  line: count.allow(null).description('line of the file or row of the sheet, from 1; null for JSON'),
  column: count.allow(null).description('cell of the row, from 1; null for a whole row and for JSON'),
  field: Joi.string().allow('', null).description('name of the column, or path in the JSON; null if none'),
  code: Joi.string()
    .valid(...faultCodes)
    .description('stable name of the rule'),
  message: Joi.string().description('what is wrong, in English'),
})
  .description('An error in a file.')
  .example(faultExample);

export const pageOfFaultsAnswer = listAnswer(
  'ImportFault',
  fault,
  faultExample,
  'Errors of the file, in the order in which they were found.',
);

export const cancelledImport: DescribedAnswer = {
  description: 'The import is deleted. What was applied stays applied.',
};
