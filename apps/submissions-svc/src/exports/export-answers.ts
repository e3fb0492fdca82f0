import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { jobState, startedBySchema } from '@canvass/jobs';
import { revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { exportedSubmissions } from '../submissions';
import type { ExportView } from './exports';

/** The answers of the operations on exports, for documents and tests. */

type View = Wire<ExportView>;

const example: View = {
  id: '186512345690000128',
  formId: '186512345677000576',
  format: 'csv',
  state: 'done',
  total: 1250,
  done: 1250,
  bytes: 402_311,
  reason: 'For the yearly report.',
  startedBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  error: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: '2026-11-20T12:00:02.310Z',
  expiresAt: '2026-11-21T12:00:02.310Z',
};

const count = Joi.number().integer().min(0);

const submissionExport = exactObject<View>('SubmissionExport', {
  id: wireId.description('id of the export, and of its job'),
  formId: wireId.description('the form'),
  format: Joi.string().valid('csv', 'ndjson', 'json', 'xlsx').description('format of the file'),
  state: jobState,
  total: count.description(
    'submissions that matched at the time of the request; with filters, and above 10,000, an estimate',
  ),
  done: count.description('submissions that are written'),
  bytes: count.allow(null).description('size of the file; null before it is complete'),
  reason: Joi.string().allow(null).description('words of the caller who started it'),
  startedBy: startedBySchema,
  error: Joi.string().allow(null).description('why it failed'),
  createdAt: wireDate.description('time of the request'),
  finishedAt: wireDate.allow(null).description('time at which it ended; null: still running'),
  expiresAt: wireDate.allow(null).description('when the file is deleted; null before it is complete'),
})
  .description('A file with submissions of a form, written by a job.')
  .example(example);

export const startedExport: DescribedAnswer = {
  description: 'The export.',
  body: submissionExport,
  headers: { Location: 'the URL of the export' },
  example: {
    ...example,
    state: 'running',
    done: 0,
    bytes: null,
    finishedAt: null,
    expiresAt: null,
  },
};

export const oneExport: DescribedAnswer = {
  description: 'The export.',
  body: submissionExport,
  headers: revisionHeader,
  example,
};

export const exportFile: DescribedAnswer = {
  ...exportedSubmissions,
  headers: {
    'Content-Disposition': 'attachment, named after the form',
    'Content-Length': 'size of the file',
  },
};
