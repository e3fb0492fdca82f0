import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, listParameters, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { changedList, findList, listParams, refOf } from '../catalog';
import type { ListQuotas } from '../quotas';
import { differenceMembers, differencePage } from './difference-answers';
import { itemsOfVersion, pageOfVersions } from './items-answers';
import { itemsOfStored } from './list-items';
import { readDifference, type DifferenceQuery } from './read-difference';
import { listVersions, requireVersion, restoreVersion } from './restore-version';

const versionParams = Joi.object<{ id: string; number: number }>({
  id: idSchema.required().description('id of the data list'),
  number: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .required()
    .description('number of a stored version'),
});

const differenceQuery = listParameters<Pick<DifferenceQuery, 'kind' | 'query' | 'counts'> & { to?: number }>({
  ...differenceMembers,
  to: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .description('number of the version to compare with; the current items by default'),
});

export function versionRoutes(db: Database, quotas: ListQuotas, kept: number): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/versions',
      operationId: 'listDataListVersions',
      summary: `The stored versions of the items, at most ${kept}, the current one first`,
      access: { permission: 'DataLists.View' },
      params: listParams,
      query: listParameters({}),
      answers: { 200: pageOfVersions },
      handle: async ({ principal, params, query }) =>
        ok(await listVersions(db, principal.tenantId, params.id, query)),
    }),
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/versions/:number/items',
      operationId: 'listDataListVersionItems',
      summary: 'The items of a stored version, in the order of their import',
      access: { permission: 'DataLists.View' },
      params: versionParams,
      query: listParameters({}),
      answers: { 200: itemsOfVersion },
      async handle({ principal: { tenantId }, params: { id, number }, query }) {
        const { items_version: version } = await requireVersion(db, tenantId, id, number);
        return ok(await itemsOfStored(db, { tenantId, listId: id, version }, query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/data-lists/:id/versions/:number/difference',
      operationId: 'getDataListVersionDifference',
      summary: 'What changed from one stored version to another, by value',
      access: { permission: 'DataLists.View' },
      params: versionParams,
      query: differenceQuery,
      answers: { 200: differencePage },
      async handle({ principal: { tenantId }, params: { id, number }, query: { to, ...query } }) {
        const list = await findList(db, tenantId, id);
        const from = await requireVersion(db, tenantId, id, number);
        const until = to === undefined ? list : await requireVersion(db, tenantId, id, to);
        const before = { tenantId, listId: id, version: from.items_version };
        return ok(await readDifference(db, before, until.items_version, query));
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/data-lists/:id/versions/:number/restore',
      operationId: 'restoreDataListVersion',
      audit: { action: 'data_list.restored' },
      summary: 'Make the items of an earlier version the current ones',
      access: { permission: 'DataLists.Edit' },
      params: versionParams,
      answers: { 200: changedList },
      problems: ['quota_exceeded'],
      async handle(input) {
        const list = await restoreVersion({ db, quotas }, refOf(input), input.params.number, kept);
        return ok(list, { etag: list.revision });
      },
    }),
  ];
}
