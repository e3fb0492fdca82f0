import type { Database } from '@canvass/postgres';
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
import { changedList, listParams, refOf } from '../catalog';
import type { ListQuotas } from '../quotas';
import { pageOfVersions } from './items-answers';
import { listVersions, restoreVersion } from './restore-version';

const versionParams = Joi.object<{ id: string; number: number }>({
  id: idSchema.required().description('id of the data list'),
  number: Joi.number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .required()
    .description('number of a stored version'),
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
      query: Joi.object<PageQuery>(pageQuery()),
      answers: { 200: pageOfVersions },
      async handle({ principal, params, query }) {
        const versions = await listVersions(db, principal.tenantId, params.id);
        const start = (query.page - 1) * query.pageSize;
        return ok(pageOf(versions.slice(start, start + query.pageSize), versions.length, query));
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
