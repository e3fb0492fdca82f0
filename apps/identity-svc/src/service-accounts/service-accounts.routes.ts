import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database, IdempotencyUnit } from '@canvass/postgres';
import {
  created,
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  type Endpoint,
  type IdempotencyStore,
} from '@canvass/service-kit';
import Joi from 'joi';
import { countServiceAccounts, type AccountQuotas } from '../quotas';
import { changeServiceAccount, removeServiceAccount, rotateSecret } from './change-service-account';
import {
  createdServiceAccount,
  deletedServiceAccount,
  oneServiceAccount,
  pageOfServiceAccounts,
  rotatedSecret,
} from './service-account-answers';
import {
  newClientId,
  newClientSecret,
  newServiceAccountSchema,
  secretHash,
  serviceAccountChangeSchema,
} from './service-account';
import { insertServiceAccount, selectServiceAccount, selectServiceAccounts } from './service-accounts.sql';

const access = { permission: 'Users.Manage' } as const;
const params = Joi.object<{ id: string }>({
  id: idSchema.required().description('id of the service account'),
});

/** Service accounts of the caller's tenant, for integrations. Those of other tenants are a 404. */
export function serviceAccountRoutes(
  db: Database,
  store: IdempotencyStore<IdempotencyUnit>,
  quotas: AccountQuotas,
): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/service-accounts',
      operationId: 'listServiceAccounts',
      summary: 'The service accounts of the tenant, by name',
      access,
      query: listParameters({}),
      answers: { 200: pageOfServiceAccounts },
      handle: async ({ principal, query }) => ok(await selectServiceAccounts(db, principal.tenantId, query)),
    }),
    createRoute(store, quotas),
    rotateRoute(store),
    endpoint.read({
      method: 'get',
      path: '/api/service-accounts/:id',
      operationId: 'getServiceAccount',
      summary: 'One service account, without its secret',
      access,
      params,
      answers: { 200: oneServiceAccount },
      async handle({ principal, params: { id } }) {
        const account = await selectServiceAccount(db, principal.tenantId, id);
        if (!account) throw notFound('service account', id);
        return ok(account, { etag: account.revision });
      },
    }),
    endpoint.write({
      method: 'patch',
      path: '/api/service-accounts/:id',
      operationId: 'changeServiceAccount',
      audit: { action: 'service_account.updated' },
      summary:
        'Change a service account; disabling it, another expiry, new roles and new forms end its access tokens',
      access,
      params,
      body: serviceAccountChangeSchema,
      answers: { 200: oneServiceAccount },
      async handle({ principal, params: { id }, body, ifMatch }) {
        const account = await changeServiceAccount(db, principal.tenantId, id, body, ifMatch);
        return ok(account, { etag: account.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/service-accounts/:id',
      operationId: 'deleteServiceAccount',
      audit: { action: 'service_account.deleted' },
      summary: 'Delete a service account and end its access tokens',
      access,
      params,
      answers: { 204: deletedServiceAccount },
      async handle({ principal, params: { id }, ifMatch }) {
        await removeServiceAccount(db, principal.tenantId, id, ifMatch);
        return noContent();
      },
    }),
  ];
}

function createRoute(store: IdempotencyStore<IdempotencyUnit>, quotas: AccountQuotas): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/service-accounts',
    operationId: 'createServiceAccount',
    audit: { action: 'service_account.created' },
    summary: 'Create a service account; only this response contains its secret',
    access,
    body: newServiceAccountSchema,
    idempotency: { store },
    answers: { 201: createdServiceAccount },
    problems: ['quota_exceeded', 'not_found'],
    async handle({ principal, body, db }) {
      const clientSecret = newClientSecret();
      const { tenantId } = principal;
      const made = await db.transaction(async (tx) => {
        const inserted = await insertServiceAccount(tx, tenantId, {
          ...body,
          clientId: newClientId(),
          secretHash: secretHash(clientSecret),
        });
        await quotas.assertRoom(tx, tenantId, 'serviceAccounts', countServiceAccounts({ tenantId }), 1);
        await recordAudit(tx, { tenantId, object: ['service_account', inserted.id], after: body });
        return inserted;
      });
      return created(`/api/service-accounts/${made.id}`, { ...made, clientSecret }, { etag: made.revision });
    },
  });
}

const rotation = Joi.object<{ overlapSeconds?: number }>({
  overlapSeconds: Joi.number()
    .integer()
    .min(0)
    .max(7 * 24 * 3_600)
    .description(
      'how long the secret of before stays valid; 0 ends it and the access tokens of the account at once; default 24 h',
    ),
})
  .optional()
  .example({ overlapSeconds: 3600 })
  .id('ClientSecretRotation');
const usualOverlapSeconds = 24 * 3_600;

function rotateRoute(store: IdempotencyStore<IdempotencyUnit>): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/service-accounts/:id/rotate-secret',
    operationId: 'rotateClientSecret',
    audit: { action: 'service_account.secret_rotated' },
    summary: 'Replace the secret of a service account; the one of before stays valid for an overlap',
    description: 'Two secrets are valid at most: a second rotation ends the older one.',
    access,
    params,
    body: rotation,
    idempotency: { store },
    answers: { 200: rotatedSecret },
    async handle({ principal, params: { id }, body, db, ifMatch }) {
      const overlapSeconds = body?.overlapSeconds ?? usualOverlapSeconds;
      const account = await rotateSecret(db, principal.tenantId, id, overlapSeconds, ifMatch);
      return ok(account, { etag: account.revision, headers: { 'Cache-Control': 'no-store' } });
    },
  });
}
