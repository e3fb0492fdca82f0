import { exactObject, submissionExample, wireDate, wireId } from '@canvass/contracts';
import type { DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { DayStats, StatusCounts, SubmissionStats } from './count-submissions';

/** Response of the counts of submissions, for documents and tests. */

const count = Joi.number().integer().min(0);

const byStatus = exactObject<StatusCounts>('SubmissionsByStatus', {
  not_started: count.description('prepared on behalf of respondents who have not saved yet'),
  in_progress: count.description('started and not complete'),
  complete: count.description('complete'),
  screen_out: count.description('screened out'),
}).description('Number of submissions in each collection status.');

const day = exactObject<DayStats>('SubmissionDay', {
  date: Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}$/)
    .description('day in the time zone, `YYYY-MM-DD`'),
  total: count.description('submissions that were created on this day, within the range'),
  byStatus,
}).description('Submissions of one day.');

const example: SubmissionStats = {
  formId: submissionExample.formId,
  from: '2026-11-19T23:00:00.000Z',
  to: '2026-11-21T23:00:00.000Z',
  timeZone: 'Europe/Berlin',
  total: 3,
  byStatus: { not_started: 0, in_progress: 1, complete: 2, screen_out: 0 },
  byDay: [
    {
      date: '2026-11-20',
      total: 3,
      byStatus: { not_started: 0, in_progress: 1, complete: 2, screen_out: 0 },
    },
    {
      date: '2026-11-21',
      total: 0,
      byStatus: { not_started: 0, in_progress: 0, complete: 0, screen_out: 0 },
    },
  ],
};

export const submissionStats: DescribedAnswer = {
  description: 'The counts.',
  body: exactObject<SubmissionStats>('SubmissionStats', {
    formId: wireId.description('id of the form'),
    from: wireDate.description('start of the range, inclusive'),
    to: wireDate.description('end of the range, exclusive'),
    timeZone: Joi.string().description('time zone of the days'),
    total: count.description('all submissions of the range'),
    byStatus,
    byDay: Joi.array()
      .items(day.optional())
      .description('every day of the range in order, also days without submissions'),
  })
    .description('Submissions of a form by collection status and by day of creation.')
    .example(example),
  headers: { ETag: 'changes with the counts; for If-None-Match' },
  example,
};
