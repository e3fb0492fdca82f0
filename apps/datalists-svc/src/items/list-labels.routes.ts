import { exactObject } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { readListLabels, type LabelsOfValue } from './list-labels.sql';

const maxLists = 200;
/** Values of a list; submissions-svc asks in parts. */
const maxValues = 2_000;

interface ListLabelsBody {
  tenantId: string;
  locale: string;
  lists: { id: string; values: string[] }[];
}

const body = Joi.object<ListLabelsBody>({
  tenantId: idSchema.required().description('id of the tenant'),
  locale: Joi.string()
    .allow('')
    .max(64)
    .required()
    .description('locale of the labels; empty: the default one'),
  lists: Joi.array()
    .items(
      Joi.object({
        id: idSchema.required(),
        values: Joi.array().items(Joi.string().allow('')).max(maxValues).unique().required(),
      }),
    )
    .max(maxLists)
    .unique('id')
    .required()
    .description('values by list'),
})
  .id('ListLabelsBody')
  .example({ tenantId: '1', locale: 'de', lists: [{ id: '186512345677000576', values: ['NG'] }] });

interface ListLabels {
  lists: { id: string; values: LabelsOfValue[] }[];
}

const text = Joi.string<string>().allow(null, '');

const listLabels = exactObject<ListLabels>('ListLabels', {
  lists: Joi.array().items(
    exactObject<ListLabels['lists'][number]>('LabelsOfList', {
      id: Joi.string(),
      values: Joi.array().items(
        exactObject<LabelsOfValue>('LabelsOfValue', {
          value: Joi.string().allow(''),
          current: text.description('the label now; null: the list has no such value'),
          history: Joi.array().items(
            exactObject<LabelsOfValue['history'][number]>('FormerLabel', {
              from: Joi.string().isoDate().required(),
              text,
            }).optional(),
          ),
        }).optional(),
      ),
    }).optional(),
  ),
});

/** For submissions-svc, on the internal port only: labels of answers. */
export const listLabelsRoute = (db: Database): Endpoint =>
  endpoint.read({
    method: 'post',
    path: '/internal/list-labels',
    operationId: 'readListLabels',
    summary: 'Labels of values of several lists, now and formerly',
    access: 'internal',
    body,
    bodyLimit: '16mb',
    answers: {
      200: {
        description: 'Labels by list and value. Lists that do not exist are left out.',
        body: listLabels,
        example: {
          lists: [
            {
              id: '186512345677000576',
              values: [
                {
                  value: 'NG',
                  current: 'Nigeria',
                  history: [{ from: '2026-06-01T12:00:00.000Z', text: 'Nigeria' }],
                },
              ],
            },
          ],
        },
      },
    },
    async handle({ body: { tenantId, locale, lists } }) {
      const asked = new Map(lists.map(({ id, values }) => [id, values]));
      const found = await readListLabels(db, { tenantId, locale, lists: asked });
      return ok({ lists: [...found].map(([id, values]) => ({ id, values })) } satisfies ListLabels, {
        headers: { 'Cache-Control': 'no-store' },
      });
    },
  });
