import { exactObject, wireDate, wireId } from '@canvass/contracts';
import type { DescribedAnswer, Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { BulkPlan, SampledSubmission } from './change-many';

/** The answers of the operation on many submissions, for documents and tests. */

type Plan = Wire<BulkPlan>;

const example: Plan = {
  count: 1250,
  oldest: '2026-11-01T08:12:45.120Z',
  newest: '2026-11-19T21:03:10.004Z',
  sample: [
    {
      id: '186512345678000128',
      submitterDisplayId: 'ada@example.org',
      status: 'new',
      createdAt: '2026-11-19T21:03:10.004Z',
    },
  ],
};

const sampledSubmission = exactObject<Wire<SampledSubmission>>('SampledSubmission', {
  id: wireId.description('id of the submission'),
  submitterDisplayId: Joi.string().allow(null, '').description('its respondent; null for an anonymous one'),
  status: Joi.string().valid('new', 'read', 'approved', 'declined').description('its review status'),
  createdAt: wireDate.description('when it was created'),
});

export const plannedChange: DescribedAnswer = {
  description: 'Of a dry run: what would be changed.',
  body: exactObject<Plan>('SubmissionBulkPlan', {
    count: Joi.number().integer().min(0).description('submissions that would be changed'),
    oldest: wireDate.allow(null).description('creation of the oldest'),
    newest: wireDate.allow(null).description('creation of the newest'),
    sample: Joi.array().items(sampledSubmission.optional()).description('the newest ten'),
  })
    .description('What a bulk change would do.')
    .example(example),
  example,
};
