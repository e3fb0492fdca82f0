import { exactObject, wireId } from '@canvass/contracts';
import { jobAreas, jobExample, jobMembers } from '@canvass/jobs';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { AreaJob, FoundJobs } from './areas';

/** One page of the jobs of all areas. */
export type JobsPage = FoundJobs & { next: string | null };

export const areaNames = Object.keys(jobAreas);

const areaJobExample: AreaJob = { ...jobExample, area: 'webhooks' };
const pageExample: JobsPage = { items: [areaJobExample], next: null, unavailable: [] };

const areaName = Joi.string().valid(...areaNames);
const areaJob = exactObject<AreaJob>('AreaJob', {
  ...jobMembers,
  area: areaName.description('the part of the system whose service does the work'),
})
  .description('Long work of one of the services.')
  .example(areaJobExample);

export const pageOfAreaJobs: DescribedAnswer = {
  description: 'A page of jobs.',
  body: exactObject<JobsPage>('AreaJobPage', {
    items: Joi.array().items(areaJob.optional()).description('newest first'),
    next: wireId.allow(null).description('`before` of the next page; null after the last one'),
    unavailable: Joi.array()
      .items(areaName.optional())
      .description('areas that did not answer, so that their jobs are missing'),
  })
    .description('Jobs that the caller may see.')
    .example(pageExample),
  example: pageExample,
};

export const oneAreaJob: DescribedAnswer = {
  description: 'The job.',
  body: areaJob,
  headers: revisionHeader,
  example: areaJobExample,
};

export const cancelledAreaJob: DescribedAnswer = {
  description: 'The job. If it had ended before, it is unchanged.',
  body: areaJob,
  example: { ...areaJobExample, state: 'cancelled', finishedAt: '2026-11-20T12:00:30.250Z' },
};

export const takenOverJob: DescribedAnswer = {
  description: 'The job, which continues.',
  body: areaJob,
  example: areaJobExample,
};
