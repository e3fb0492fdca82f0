import { exactObject } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import type { AnswerText } from '../answer-texts';
import type { ReadListLabels } from '../list-labels';
import { readTexts, type SubmissionTexts, type TextsOfSubmission } from './read-texts';

/** Submissions of a page. */
const maxIds = 200;
/** Names of questions. */
const maxQuestions = 100;

const query = Joi.object<{ ids: string[]; locale: string; questions?: string[] }>({
  ids: Joi.array()
    .items(idSchema)
    .single()
    .min(1)
    .max(maxIds)
    .unique()
    .required()
    .description('ids of the submissions'),
  locale: Joi.string()
    .max(35)
    .allow('')
    .default('')
    .description('of titles and labels; without it, or where a text has no such locale, the default one')
    .example('de'),
  questions: Joi.array()
    .items(Joi.string().max(300))
    .single()
    .max(maxQuestions)
    .description('names of the answers to return; all by default'),
});

type Part = NonNullable<AnswerText['parts']>[number];

export const answerText = exactObject<AnswerText>(
  'AnswerText',
  {
    name: Joi.string().allow('').description('the member of `jsonData`'),
    title: Joi.string().allow(''),
    type: Joi.string()
      .allow(null)
      .description(
        'the type of the question (SurveyJS), or `remark` for what stands beside an answer; null: the form of the time has no such question',
      ),
    text: Joi.string()
      .allow(null)
      .description(
        'choices by their label at that time; `A → B` where the label of a data list is B now; null: unanswered',
      ),
  },
  {
    parts: Joi.array()
      .items(
        exactObject<Part>('AnswerTextPart', {
          title: Joi.string().allow(''),
          text: Joi.string(),
        }).optional(),
      )
      .description('the rows of a table, or the panels of a panel'),
  },
);

export const answerTextsExample: AnswerText[] = [
  { name: 'country', title: 'Your country', type: 'dropdown', text: 'Nigeria' },
];

const example: SubmissionTexts = {
  items: [
    {
      id: '186512345677000577',
      hasFormChanged: false,
      answers: answerTextsExample,
    },
  ],
  hasListLabels: true,
};

/** Answers as people read them. */
export const textRoutes = (deps: { db: Database; readListLabels: ReadListLabels }): Endpoint[] => [
  endpoint.read({
    method: 'get',
    path: '/api/forms/:formId/answer-texts',
    operationId: 'listAnswerTexts',
    summary: 'Answers of submissions as people read them: titles and labels',
    description:
      'Titles and labels are those of the form, and of its data lists, at the time of completion, or of the last save before it. Questions are in the order of the form; unanswered ones have no text.',
    access: { permission: 'Submissions.View' },
    params: formParams,
    query,
    answers: {
      200: {
        description: 'The texts, in the order of `ids`. Submissions that do not exist are left out.',
        body: exactObject<SubmissionTexts>('AnswerTexts', {
          items: Joi.array().items(
            exactObject<TextsOfSubmission>('TextsOfSubmission', {
              id: Joi.string(),
              hasFormChanged: Joi.boolean().description(
                'whether the present form has another definition than that of the time',
              ),
              answers: Joi.array()
                .items(answerText.optional())
                .allow(null)
                .description('null: the answers are no JSON object'),
            }).optional(),
          ),
          hasListLabels: Joi.boolean().description(
            'false: datalists-svc did not answer, and values of data lists have no label',
          ),
        }),
        example,
      },
    },
    async handle({ principal: { tenantId }, params: { formId }, query: asked }) {
      return ok(await readTexts(deps, { tenantId, formId, ...asked }));
    },
  }),
];
