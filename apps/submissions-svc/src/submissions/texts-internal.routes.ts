import { exactObject } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { createAnswersReader, type AnswerText } from '../answer-texts';
import type { ReadListLabels } from '../list-labels';
import { getFormDefinition } from './read.sql';
import { answerText, answerTextsExample } from './texts.routes';

interface TextsBody {
  tenantId: string;
  formId: string;
  jsonData: string;
  at: Date;
}

interface EventTexts {
  answers: AnswerText[] | null;
  hasListLabels: boolean;
}

const body = Joi.object<TextsBody>({
  tenantId: idSchema.required().description('id of the tenant'),
  formId: idSchema.required().description('id of the form'),
  jsonData: Joi.string().allow('').required().description('the answers, JSON text'),
  at: Joi.date().iso().required().description('time of the answers'),
})
  .id('EventTextsBody')
  .example({
    tenantId: '1',
    formId: '186512345670000064',
    jsonData: '{"country":"NG"}',
    at: '2026-11-01T12:00:00Z',
  });

/** For the relay, on the internal port only: the answers of an event as people read them. */
export const internalTextRoutes = (deps: { db: Database; readListLabels: ReadListLabels }): Endpoint[] => [
  endpoint.read({
    method: 'post',
    path: '/internal/answer-texts',
    operationId: 'readEventTexts',
    summary: 'Answers as people read them: titles and labels of the time of the answers',
    access: 'internal',
    body,
    bodyLimit: '16mb',
    answers: {
      200: {
        description: 'The texts in the order of the form.',
        body: exactObject<EventTexts>('EventTexts', {
          answers: Joi.array()
            .items(answerText.optional())
            .allow(null)
            .description('null: the answers are no JSON object'),
          hasListLabels: Joi.boolean().description('false: datalists-svc did not answer'),
        }),
        example: { answers: answerTextsExample, hasListLabels: true },
      },
    },
    async handle({ body: { tenantId, formId, jsonData, at } }) {
      const [form] = await deps.db.query(getFormDefinition({ tenantId, formId }));
      if (!form) throw notFound('form', formId);
      const reader = createAnswersReader(deps, { tenantId, formId, definition: form.definition, locale: '' });
      const { texts, hasListLabels } = await reader.textsOf([{ jsonData, at: at.toISOString() }]);
      return ok({ answers: texts[0]!.answers, hasListLabels } satisfies EventTexts, {
        headers: { 'Cache-Control': 'no-store' },
      });
    },
  }),
];
