import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, revisionHeader, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { JobView } from './job-view';
import { jobStates } from './jobs.sql';

/** The answers of the operations on jobs, for documents and tests. */

type WireJob = Wire<JobView>;

export const jobExample: WireJob = {
  id: '186512345690000128',
  kind: 'webhook_recovery',
  state: 'running',
  reason: 'The receiver was down.',
  startedBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  total: 1250,
  done: 500,
  counts: { recovered: 498, skipped: 2 },
  result: null,
  error: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  finishedAt: null,
};

const count = Joi.number().integer().min(0);

export const startedBySchema = Joi.object({
  provider: Joi.string().required(),
  kind: Joi.string().valid('user', 'service', 'external', 'operator', 'job').required(),
  subject: Joi.string().required().description('id of the user or service account, or external subject'),
})
  .id('JobAuthor')
  .allow(null)
  .description('who started it');

export const jobState = Joi.string()
  .valid(...jobStates)
  .description('`failed`: it ended before its work was done, see `error`');

/** The members of a job, for schemas of responses. */
export const jobMembers: Joi.StrictSchemaMap<WireJob> = {
  id: wireId.description('id of the job; it carries the time of the request'),
  kind: Joi.string().description('what it does'),
  state: jobState,
  reason: Joi.string().allow(null).description('words of the caller who started it'),
  startedBy: startedBySchema,
  total: count.description('number of items at the time of the request'),
  done: count.description('number of items that it has looked at so far'),
  counts: Joi.object().pattern(Joi.string(), count).description('numbers by name, depending on the kind'),
  result: Joi.object().unknown().allow(null).description('depends on the kind; null: none'),
  error: Joi.string().allow(null).description('why it failed'),
  createdAt: wireDate.description('time of the request'),
  finishedAt: wireDate.allow(null).description('time at which it ended; null: still running'),
};

const job = exactObject<WireJob>('Job', jobMembers)
  .description('Long work in small steps, which continues after a restart of the service.')
  .example(jobExample);

export const pageOfJobs = listAnswer('Job', job, jobExample, 'A page of jobs.');

export const oneJob: DescribedAnswer = {
  description: 'The job.',
  body: job,
  headers: revisionHeader,
  example: jobExample,
};

export const startedJob: DescribedAnswer = {
  description: 'The job.',
  body: job,
  headers: { Location: 'the URL of the job' },
  example: jobExample,
};

export const endedJob: DescribedAnswer = {
  description: 'The job. If it had ended before, it is unchanged.',
  body: job,
  example: { ...jobExample, state: 'cancelled', finishedAt: '2026-11-20T12:00:30.250Z' },
};
