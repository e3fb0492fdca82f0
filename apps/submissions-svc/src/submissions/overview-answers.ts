import { exactObject, wireDate } from '@canvass/contracts';
import { maxBuckets, periodMembers, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { OverviewCounts } from './overview.sql';
import type { OverviewBucket, SubmissionOverview } from './read-overview';

/** Response of the overview of submissions, for documents and tests. */

const count = Joi.number().integer().min(0);

const counts: Joi.StrictSchemaMap<OverviewCounts> = {
  started: count.description('submissions that were created in this time'),
  completed: count.description('submissions that were completed in this time, whenever they were created'),
  screenedOut: count.description('of the started ones, those that are screened out now'),
};

const some: OverviewCounts = { started: 320, completed: 287, screenedOut: 12 };
const example: Wire<SubmissionOverview> = {
  from: '2026-11-20T09:00:00.000Z',
  to: '2026-11-20T10:00:00.000Z',
  bucket: '1h',
  total: some,
  buckets: [{ start: '2026-11-20T09:00:00.000Z', ...some }],
};

export const submissionOverview: DescribedAnswer = {
  description: 'The overview.',
  body: exactObject<Wire<SubmissionOverview>>('SubmissionOverview', {
    ...periodMembers(wireDate),
    total: exactObject<OverviewCounts>('SubmissionCounts', counts).description('of the whole range'),
    buckets: Joi.array()
      .items(
        exactObject<Wire<OverviewBucket>>('SubmissionBucket', {
          start: wireDate.description('start of the bucket, inclusive'),
          ...counts,
        })
          .description('Submissions of one bucket.')
          .optional(),
      )
      .max(maxBuckets)
      .description('every bucket of the range, in order'),
  })
    .description('Submissions of all forms of the tenant by time.')
    .example(example),
  example,
};
