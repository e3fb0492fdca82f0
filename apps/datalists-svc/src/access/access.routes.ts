import type { Queryable } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  ok,
  pageOf,
  pageQuery,
  type Endpoint,
  type PageQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { pageOfUsingForms } from './access-answers';
import { countFormsUsing, selectFormsUsing } from './access.sql';

export interface AccessDeps {
  db: Queryable;
  /** Throws 404 for a list that the tenant does not have. */
  assertList(tenantId: string, listId: string): Promise<unknown>;
}

export function accessRoutes({ db, assertList }: AccessDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/forms',
      operationId: 'listFormsUsingDataList',
      summary: 'Forms that may read the list',
      access: { permission: 'DataLists.View' },
      params: Joi.object<{ id: string }>({ id: idSchema.required().description('id of the data list') }),
      query: Joi.object<PageQuery>(pageQuery()),
      answers: { 200: pageOfUsingForms },
      async handle({ principal, params, query }) {
        const { tenantId } = principal;
        await assertList(tenantId, params.id);
        const window = { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
        const total = await countFormsUsing(db, tenantId, params.id);
        return ok(pageOf(await selectFormsUsing(db, tenantId, params.id, window), total, query));
      },
    }),
  ];
}
