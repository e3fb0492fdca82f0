import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, noContent, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import type { Jobs } from '../jobs';
import { eraseFromViews } from './erase-texts';

/** Endpoints for submissions-svc, on the internal port only. */
export const erasedTextRoutes = (db: Database, jobs: Pick<Jobs, 'eraseTexts'>): Endpoint[] => [
  endpoint.write({
    method: 'post',
    path: '/internal/erased-texts',
    operationId: 'eraseTexts',
    audit: { notRecorded: 'submissions-svc records the erasure' },
    summary: 'Removes texts of an erased respondent from views, preferences and the jobs of all areas',
    access: 'internal',
    body: Joi.object<{ tenantId: string; texts: string[] }>({
      tenantId: idSchema.required().description('id of the tenant'),
      texts: Joi.array().items(Joi.string()).min(1).required().description('ids and display ids'),
    })
      .id('ErasedTexts')
      .example({ tenantId: '1', texts: ['186512345670000128', 'ada@example.org'] }),
    answers: { 204: { description: 'Nothing has the texts any more.' } },
    problems: ['conflict', 'service_unavailable'],
    async handle({ body: { tenantId, texts } }) {
      await eraseFromViews(db, tenantId, texts);
      await jobs.eraseTexts(tenantId, texts);
      return noContent();
    },
  }),
];
