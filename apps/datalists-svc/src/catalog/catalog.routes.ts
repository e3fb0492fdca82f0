import type { Principal } from '@canvass/auth';
import type { DataListItem } from '@canvass/contracts';
import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  created,
  endpoint,
  noContent,
  ok,
  type Endpoint,
  type EndpointInput,
  type IdempotencyStore,
} from '@canvass/service-kit';
import { changedList, createdList, deletedList, oneList, pageOfListsAnswer } from './catalog-answers';
import { listParams, listQuerySchema, listsQuery, newListBody, patchBody } from './catalog.schemas';
import type { ListRow } from './catalog.sql';
import type { ListRef } from './change-list';
import { answerList, findList, listLists } from './read-list';
import { createList, deleteList, patchList, type CatalogNeighbours } from './write-list';

export interface CatalogDeps extends CatalogNeighbours {
  db: Database;
  idempotency: IdempotencyStore<IdempotencyUnit>;
  itemsOf(row: ListRow): AsyncIterable<DataListItem[]>;
}

const view = { permission: 'DataLists.View' } as const;
const edit = { permission: 'DataLists.Edit' } as const;

/** The list of a request, in the tenant of the caller. */
export function refOf(
  input: Pick<EndpointInput<{ id: string }>, 'params' | 'ifMatch' | 'traceparent'> & { principal: Principal },
): ListRef {
  const { params, principal, ifMatch, traceparent } = input;
  return { tenantId: principal.tenantId, id: params.id, ifMatch, traceparent };
}

export function catalogRoutes(deps: CatalogDeps): Endpoint[] {
  const { db } = deps;
  return [
    createRoute(deps),
    endpoint.read({
      method: 'get',
      path: '/api/data-lists',
      operationId: 'listDataLists',
      summary: 'Data lists, by name',
      access: view,
      query: listsQuery,
      answers: { 200: pageOfListsAnswer },
      async handle({ principal, query }) {
        return ok(await listLists(db, principal.tenantId, query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id',
      operationId: 'getDataList',
      summary: 'A data list, with its items unless includeItems is false',
      access: view,
      params: listParams,
      query: listQuerySchema,
      answers: { 200: oneList },
      async handle({ principal, params, query }) {
        const row = await findList(db, principal.tenantId, params.id);
        return answerList(row, query.includeItems ? deps.itemsOf(row) : null);
      },
    }),
    endpoint.write({
      method: 'patch',
      path: '/api/data-lists/:id',
      operationId: 'updateDataList',
      audit: { action: 'data_list.updated' },
      summary: 'Change name, description, isActive or order',
      description:
        'Absent members do not change. The response of GET may be sent back. Without a difference nothing changes. The public search of an inactive list is a 404; its display values are still available.',
      access: edit,
      params: listParams,
      body: patchBody,
      answers: { 200: changedList },
      async handle(input) {
        const list = await patchList(db, refOf(input), input.body);
        return ok(list, { etag: list.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/data-lists/:id',
      operationId: 'deleteDataList',
      audit: { action: 'data_list.deleted' },
      summary: 'Delete a data list that no form uses',
      access: edit,
      params: listParams,
      answers: { 204: deletedList },
      problems: ['data_list_in_use'],
      async handle(input) {
        await deleteList(db, deps, refOf(input));
        return noContent();
      },
    }),
  ];
}

function createRoute({ idempotency, quotas }: Pick<CatalogDeps, 'idempotency' | 'quotas'>): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/data-lists',
    operationId: 'createDataList',
    audit: { action: 'data_list.created' },
    summary: 'Create a data list',
    description: 'Import its items afterwards. Names need not be unique.',
    access: edit,
    body: newListBody,
    idempotency: { store: idempotency },
    answers: { 201: createdList },
    problems: ['quota_exceeded'],
    async handle({ principal, body, traceparent, db }) {
      const list = await createList(db, { quotas }, { tenantId: principal.tenantId, traceparent }, body);
      return created(`/api/data-lists/${list.id}`, list, { etag: list.revision });
    },
  });
}
