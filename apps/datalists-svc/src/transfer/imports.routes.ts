import type { Turns } from '@canvass/async';
import {
  created,
  digestOf,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import Joi from 'joi';
import { listParams, refOf } from '../catalog';
import { differenceMembers, differencePage, type DifferenceQuery } from '../items';
import { applyImport, cancelImport } from './apply-import';
import { faultCodes, type FaultCode } from './faults';
import {
  cancelledImport,
  oneImport,
  pageOfFaultsAnswer,
  pageOfImportsAnswer,
  stagedAnswer,
} from './imports-answers';
import { readFaults, readImport, readImportDifference, readImports } from './read-import';
import { stageImport, type StageDeps } from './stage-import';
import { importedList } from './transfer-answers';
import { importBody, stageQuery } from './transfer.schemas';
import { fileTypes, inTurn, uploadOf, type UploadLimits } from './upload';

export interface ImportsDeps extends StageDeps {
  limits: StageDeps['limits'] & UploadLimits;
}

const path = '/api/data-lists/:id/imports';
const one = `${path}/:importId`;
const view = { permission: 'DataLists.View' } as const;
const edit = { permission: 'DataLists.Edit' } as const;

const importParams = Joi.object<{ id: string; importId: string }>({
  id: idSchema.required().description('id of the data list'),
  importId: idSchema.required().description('id of the import'),
});

/** The import of a request. */
const keyOf = (tenantId: string, { id, importId }: { id: string; importId: string }) => ({
  tenantId,
  listId: id,
  id: importId,
});

/** Staged imports: the file is sent once, looked at, and then applied. */
export function importRoutes(deps: ImportsDeps, turns: Turns): Endpoint[] {
  const { db } = deps;
  return [
    stageRoute(deps, turns),
    endpoint.read({
      method: 'get',
      path,
      operationId: 'listDataListImports',
      summary: 'The staged imports of a list, newest first',
      access: view,
      params: listParams,
      query: listParameters({}),
      answers: { 200: pageOfImportsAnswer },
      async handle({ principal: { tenantId }, params, query }) {
        return ok(await readImports(db, { tenantId, listId: params.id }, query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: one,
      operationId: 'getDataListImport',
      summary: 'A staged import: its state, progress and numbers',
      access: view,
      params: importParams,
      answers: { 200: oneImport },
      async handle({ principal, params }) {
        const found = await readImport(db, keyOf(principal.tenantId, params));
        return ok(found, { etag: digestOf(found) });
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/faults`,
      operationId: 'listDataListImportFaults',
      summary: 'All errors of a staged import, with their places in the file',
      access: view,
      params: importParams,
      query: listParameters<{ code?: FaultCode }>({
        code: Joi.string()
          .valid(...faultCodes)
          .description('only errors with this code'),
      }),
      answers: { 200: pageOfFaultsAnswer },
      async handle({ principal, params, query }) {
        return ok(await readFaults(db, keyOf(principal.tenantId, params), query));
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${one}/difference`,
      operationId: 'getDataListImportDifference',
      summary: 'What a staged import would change in the current items, by value',
      access: view,
      params: importParams,
      query: listParameters<Pick<DifferenceQuery, 'kind' | 'query' | 'counts'>>(differenceMembers),
      answers: { 200: differencePage },
      problems: ['conflict'],
      async handle({ principal, params, query }) {
        return ok(await readImportDifference(db, keyOf(principal.tenantId, params), query));
      },
    }),
    applyRoute(deps),
    endpoint.write({
      method: 'delete',
      path: one,
      operationId: 'cancelDataListImport',
      audit: { notRecorded: 'the list does not change' },
      summary: 'Cancel an upload, or delete a staged import',
      access: edit,
      params: importParams,
      answers: { 204: cancelledImport },
      async handle({ principal, params, ifMatch }) {
        await cancelImport(deps, keyOf(principal.tenantId, params), ifMatch);
        return noContent();
      },
    }),
  ];
}

function stageRoute(deps: ImportsDeps, turns: Turns): Endpoint {
  return endpoint.write({
    method: 'post',
    path,
    operationId: 'stageDataListImport',
    audit: { notRecorded: 'the list does not change until the import is applied' },
    summary: 'Send a file, check it and keep its items, without changing the list',
    description: `The file is as in \`PUT …/import\`. Its progress can be read while it is sent: \`GET …/imports\` lists it. An import can be applied for ${deps.stagedHours} hours. An upload that breaks off leaves nothing. \`If-Match\` is about the list.`,
    access: edit,
    params: listParams,
    query: stageQuery,
    headers: { 'If-Match': 'the revision of the list that the file is for' },
    body: importBody,
    bodyLimit: deps.limits.jsonBytes,
    rawBody: fileTypes,
    answers: { 201: stagedAnswer },
    problems: ['quota_exceeded', 'import_rejected', 'conflict'],
    async handle(input) {
      const upload = uploadOf(input, deps.limits);
      const staged = await inTurn(turns, input.principal.tenantId, () =>
        stageImport(deps, refOf(input), upload),
      );
      const location = `/api/data-lists/${input.params.id}/imports/${staged.id}`;
      return created(location, staged, { etag: digestOf(staged) });
    },
  });
}

function applyRoute(deps: ImportsDeps): Endpoint {
  return endpoint.write({
    method: 'post',
    path: `${one}/apply`,
    operationId: 'applyDataListImport',
    audit: { action: 'data_list.imported' },
    summary: 'Make the items of a staged import the items of the list',
    description:
      '`If-Match` is about the list: with `revision` of the import, nothing but what was shown is changed.',
    access: edit,
    params: importParams,
    answers: { 200: importedList },
    problems: ['quota_exceeded', 'conflict'],
    async handle(input) {
      const list = await applyImport(deps, refOf(input), input.params.importId);
      return ok(list, { etag: list.revision });
    },
  });
}
