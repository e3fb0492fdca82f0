import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { endpoint, notModified, ok, pageOf, type Answer, type Endpoint } from '@canvass/service-kit';
import { findList, listParams, type ListRow } from '../catalog';
import type { ItemSearch } from '../search';
import type { Collations } from './collation';
import { readCoverage } from './coverage';
import { displayValues, findItems } from './find-items';
import { coverageAnswer, displayedValues, pageOfItems } from './items-answers';
import {
  displayValuesQuery,
  itemsQuery,
  publicParams,
  publicSearchQuery,
  type PublicSearchQuery,
} from './items.schemas';
import { listItems } from './list-items';

export interface ItemsDeps {
  db: Database;
  collations: Collations;
  search: ItemSearch;
  /** Checks a form-access token and returns the list that it permits; see the slice `access`. */
  openList(authorization: string | undefined, formId: string, listId: string): Promise<ListRow>;
  /** Checks only the token itself. */
  checkToken(authorization: string | undefined): Promise<unknown>;
}

export function itemsRoutes(deps: ItemsDeps): Endpoint[] {
  const { db, openList } = deps;
  const checkToken: Endpoint['checkToken'] = ({ authorization }) => deps.checkToken(authorization);
  return [
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/items',
      operationId: 'listDataListItems',
      summary: 'Items of a list, active or not, found by query, in the order of the list',
      access: { permission: 'DataLists.View' },
      params: listParams,
      query: itemsQuery,
      answers: { 200: pageOfItems },
      async handle({ principal, headers, params, query }) {
        const row = await findList(db, principal.tenantId, params.id);
        return unlessKnown(headers, row, () => listItems(deps, row, query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/coverage',
      operationId: 'getDataListCoverage',
      summary: 'How many items have a label, by locale',
      access: { permission: 'DataLists.View' },
      params: listParams,
      answers: { 200: coverageAnswer },
      async handle({ principal, headers, params }) {
        const row = await findList(db, principal.tenantId, params.id);
        return unlessKnown(headers, row, () => readCoverage(db, row));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId/data-lists/:dataListId/search',
      operationId: 'searchDataList',
      summary: 'Choices of a list that a form may read, found by query',
      description:
        'Page with `page` and `pageSize` or with `skip` and `take` (default 25). An inactive list is a 404.',
      access: 'custom',
      checkToken,
      params: publicParams,
      query: publicSearchQuery,
      answers: { 200: pageOfItems },
      problems: ['permission_denied'],
      async handle({ headers, params, query }) {
        const row = await openList(headers.authorization, params.formId, params.dataListId);
        if (!row.is_active) throw notFound('data list', params.dataListId);
        const window = windowOf(query);
        return unlessKnown(headers, row, async () => {
          const { total, items } = await findItems(deps, row, query, window);
          const page = { page: Math.floor(window.offset / window.limit) + 1, pageSize: window.limit };
          return pageOf(items, total, page);
        });
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/public/forms/:formId/data-lists/:dataListId/display-values',
      operationId: 'getDisplayValues',
      summary: 'Labels of chosen values, even of an inactive list',
      access: 'custom',
      checkToken,
      params: publicParams,
      query: displayValuesQuery,
      answers: { 200: displayedValues },
      problems: ['permission_denied'],
      async handle({ headers, params, query }) {
        const row = await openList(headers.authorization, params.formId, params.dataListId);
        return unlessKnown(headers, row, () => displayValues(db, row, query));
      },
    }),
  ];
}

/** A caller with a current copy gets a 304 before any search. */
async function unlessKnown(
  headers: { 'if-none-match'?: string | undefined },
  { revision }: ListRow,
  read: () => Promise<unknown>,
): Promise<Answer> {
  const known = notModified(headers['if-none-match'], revision);
  return ok(known ? undefined : await read(), { etag: revision });
}

const defaultSize = 25;

function windowOf({ page, pageSize, skip, take }: PublicSearchQuery): { limit: number; offset: number } {
  if (skip !== undefined || take !== undefined) return { limit: take ?? defaultSize, offset: skip ?? 0 };
  const limit = pageSize ?? defaultSize;
  return { limit, offset: ((page ?? 1) - 1) * limit };
}
