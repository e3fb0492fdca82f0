import { exactObject, submissionExample, wireId } from '@canvass/contracts';
import type { DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { Bar, Bucket, QuestionSummary } from './question-summary';
import type { FormSummary } from './read-summary';

/** Response of the summary of a form, for documents and tests. */

const count = Joi.number().integer().min(0);
const percent = Joi.number().description('of those who answered, with one decimal');

const bar = exactObject<Bar>(
  'SummaryBar',
  {
    value: Joi.string()
      .allow('')
      .description('as `answers.<path>:<value>` finds it; of dates a day or a month'),
    label: Joi.string().allow(''),
    count,
    percent,
    isChoice: Joi.boolean().description('false: the form, or its data list, does not offer the value now'),
  },
  { meanRank: Joi.number().description('of a ranking: the mean place, from 1') },
);

const bucket = exactObject<Bucket>('SummaryBucket', {
  from: Joi.number().description('inclusive'),
  to: Joi.number().description('exclusive'),
  count,
  percent,
});

type Numbers = NonNullable<QuestionSummary['numbers']>;

const question = exactObject<QuestionSummary>('QuestionSummary', {
  name: Joi.string().allow('').description('the member of `jsonData`'),
  title: Joi.string().allow(''),
  type: Joi.string().allow('').description('the type of the question (SurveyJS)'),
  kind: Joi.string()
    .valid('choices', 'numbers', 'dates', 'texts', 'answers')
    .description('how its answers are counted; `answers`: only that there is one'),
  row: exactObject<{ value: string; title: string }>('SummaryRow', {
    value: Joi.string(),
    title: Joi.string(),
  })
    .allow(null)
    .description('the row of a matrix, or the item of a question of several texts'),
  path: Joi.string()
    .allow(null, '')
    .description('the path of `answers.<path>` in filters; null: no filter finds these answers'),
  answered: count,
  skipped: count.description('what `answers.<path>:null` finds'),
  bars: Joi.array()
    .items(bar.optional())
    .description(
      'choices in the order of the form, then the 20 most frequent of the other values; dates by day, or by month if there are more than 31 days. An answer with several values counts for each',
    ),
  rest: exactObject<QuestionSummary['rest']>('SummaryRest', { count, percent }).description(
    'values without a bar: how often they were given',
  ),
  numbers: exactObject<Numbers>('SummaryNumbers', {
    count,
    mean: Joi.number(),
    median: Joi.number(),
    min: Joi.number(),
    max: Joi.number(),
  })
    .allow(null)
    .description('of numbers and ratings'),
  buckets: Joi.array()
    .items(bucket.optional())
    .description('of numbers: about ten with round edges, in order and without gaps'),
  nps: Joi.number()
    .allow(null)
    .description('of a rating from 0 to 10: percent of 9 and 10 less percent of 0 to 6'),
  texts: Joi.array()
    .items(
      exactObject<QuestionSummary['texts'][number]>('SummaryText', {
        submissionId: wireId,
        text: Joi.string(),
      }).optional(),
    )
    .description(
      'the newest 10 texts, or texts beside the choice `other`, of the newest 1,000 submissions, with at most 300 characters',
    ),
});

const example: FormSummary = {
  formId: submissionExample.formId,
  total: 3,
  counted: 3,
  isExact: true,
  sampledFrom: null,
  hasListLabels: true,
  questions: [
    {
      name: 'ticket',
      title: 'Your ticket',
      type: 'radiogroup',
      kind: 'choices',
      row: null,
      path: 'ticket',
      answered: 2,
      skipped: 1,
      bars: [
        { value: 'day', label: 'One day', count: 2, percent: 100, isChoice: true },
        { value: 'all', label: 'All days', count: 0, percent: 0, isChoice: true },
      ],
      rest: { count: 0, percent: 0 },
      numbers: null,
      buckets: [],
      nps: null,
      texts: [],
    },
  ],
  questionsLeftOut: 0,
};

export const formSummary: DescribedAnswer = {
  description: 'The summary.',
  body: exactObject<FormSummary>('FormSummary', {
    formId: wireId.description('id of the form'),
    total: count.description('submissions that match'),
    counted: count.description('of those, the ones that were read; all other numbers are of these'),
    isExact: Joi.boolean().description('false: a sample was read'),
    sampledFrom: count.allow(null).description('the number of submissions of which a sample was read'),
    hasListLabels: Joi.boolean().description(
      'false: datalists-svc did not answer, and values of data lists have no label',
    ),
    questions: Joi.array().items(question.optional()).description('in the order of the form, at most 200'),
    questionsLeftOut: count.description('questions and rows beyond these'),
  })
    .description('What was answered to a form, by question.')
    .example(example),
  example,
};
