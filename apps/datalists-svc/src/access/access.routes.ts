import { readKeyPage, type KeyOrder, type Queryable } from '@canvass/postgres';
import { endpoint, idSchema, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { pageOfUsingForms } from './access-answers';
import { formsUsing, type UsingForm } from './access.sql';

const oldestFirst: KeyOrder = { name: 'id', direction: 'asc' };

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
      summary: 'Forms that may read the list, the oldest first',
      access: { permission: 'DataLists.View' },
      params: Joi.object<{ id: string }>({ id: idSchema.required().description('id of the data list') }),
      query: listParameters({}),
      answers: { 200: pageOfUsingForms },
      async handle({ principal, params, query }) {
        const { tenantId } = principal;
        await assertList(tenantId, params.id);
        const using = formsUsing({ tenantId, listId: params.id });
        return ok(await readKeyPage(db, using, oldestFirst, query, (form: UsingForm) => form));
      },
    }),
  ];
}
