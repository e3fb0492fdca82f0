import { exactObject } from '@canvass/contracts';
import { jobAreas, jobExample, jobMembers } from '@canvass/jobs';
import { pageExample, pageMembers, revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { AreaJob, JobsPage } from './areas';

export const areaNames = Object.keys(jobAreas);

const areaJobExample: AreaJob = { ...jobExample, area: 'webhooks' };
const jobsExample: JobsPage = { ...pageExample(areaJobExample), unavailable: [] };

const areaName = Joi.string().valid(...areaNames);
const areaJob = exactObject<AreaJob>('AreaJob', {
  ...jobMembers,
  area: areaName.description('the part of the system whose service does the work'),
})
  .description('Long work of one of the services.')
  .example(areaJobExample);

export const pageOfAreaJobs: DescribedAnswer = {
  description: 'A page of jobs.',
  body: Joi.object({
    ...pageMembers(areaJob),
    unavailable: Joi.array()
      .items(areaName.optional())
      .required()
      .description('areas that did not answer, so that their jobs are missing'),
  }).id('AreaJobPage'),
  example: jobsExample,
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
