import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { endpoint, ok, pageOf, type Endpoint } from '@canvass/service-kit';
import { findList, listParams } from '../catalog';
import type { Collations } from './collation';
import { displayValues, findItems } from './find-items';
import {
  displayValuesQuery,
  itemsQuery,
  publicParams,
  publicSearchQuery,
  type PublicSearchQuery,
} from './items.schemas';
import { localeRoutes } from './locales.routes';

export interface ItemsDeps {
  db: Database;
  collations: Collations;
  /** Checks a form-access token; see the slice `access`. */
  authorizeForm(
    authorization: string | undefined,
    formId: string,
    listId: string,
  ): Promise<{ tenantId: string }>;
}

export function itemsRoutes(deps: ItemsDeps): Endpoint[] {
  const { db, collations, authorizeForm } = deps;
  return [
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/items',
      operationId: 'listDataListItems',
      summary: 'Items of a list, active or not, found by query and sorted by label',
      access: { permission: 'DataLists.View' },
      params: listParams,
      query: itemsQuery,
      async handle({ principal, params, query }) {
        const row = await findList(db, principal!.tenantId, params.id);
        const window = { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
        const { total, items } = await findItems(db, collations, row, query, window);
        return ok(pageOf(items, total, query), { etag: row.revision });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId/data-lists/:dataListId/search',
      operationId: 'searchDataList',
      summary: 'Choices of a list that a form may read, found by query',
      access: 'custom',
      params: publicParams,
      query: publicSearchQuery,
      async handle({ headers, params, query }) {
        const { tenantId } = await authorizeForm(headers.authorization, params.formId, params.dataListId);
        const row = await findList(db, tenantId, params.dataListId);
        if (!row.is_active) throw notFound('data list', params.dataListId);
        const window = windowOf(query);
        const { total, items } = await findItems(db, collations, row, query, window);
        const page = { page: Math.floor(window.offset / window.limit) + 1, pageSize: window.limit };
        return ok(pageOf(items, total, page), { etag: row.revision });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId/data-lists/:dataListId/display-values',
      operationId: 'getDisplayValues',
      summary: 'Labels of chosen values, also of an inactive list',
      access: 'custom',
      params: publicParams,
      query: displayValuesQuery,
      async handle({ headers, params, query }) {
        const { tenantId } = await authorizeForm(headers.authorization, params.formId, params.dataListId);
        const row = await findList(db, tenantId, params.dataListId);
        return ok(await displayValues(db, row, query), { etag: row.revision });
      },
    }),
    ...localeRoutes(db),
  ];
}

const defaultSize = 25;

function windowOf({ page, pageSize, skip, take }: PublicSearchQuery): { limit: number; offset: number } {
  if (skip !== undefined || take !== undefined) return { limit: take ?? defaultSize, offset: skip ?? 0 };
  const limit = pageSize ?? defaultSize;
  return { limit, offset: ((page ?? 1) - 1) * limit };
}
