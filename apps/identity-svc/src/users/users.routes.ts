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
  searchText,
  type Endpoint,
  type IdempotencyStore,
} from '@canvass/service-kit';
import Joi from 'joi';
import { countUsers, type AccountQuotas } from '../quotas';
import { changeUser, removeUser } from './change-user';
import { assertNotGuessable } from './password-rules';
import { hashPassword, unusablePassword } from './passwords';
import { createdUser, deletedUser, oneUser, pageOfUsers } from './user-answers';
import { newUserSchema, userChangeSchema } from './user';
import { insertUser, selectUser, selectUsers } from './users.sql';

const access = { permission: 'Users.Manage' } as const;
const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the user') });
const listQuery = listParameters<{ search: string }>({
  search: searchText().default('').description('text within address or name, case-insensitive'),
});

/** Users of the caller's tenant. Those of other tenants are a 404. */
export function userRoutes(
  db: Database,
  store: IdempotencyStore<IdempotencyUnit>,
  quotas: AccountQuotas,
): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/users',
      operationId: 'listUsers',
      summary: 'The users of the tenant, by e-mail address; search covers address and name',
      access,
      query: listQuery,
      answers: { 200: pageOfUsers },
      handle: async ({ principal, query }) => ok(await selectUsers(db, principal.tenantId, query)),
    }),
    createRoute(store, quotas),
    endpoint.read({
      method: 'get',
      path: '/api/users/:id',
      operationId: 'getUser',
      summary: 'One user',
      access,
      params,
      answers: { 200: oneUser },
      async handle({ principal, params: { id } }) {
        const user = await selectUser(db, principal.tenantId, id);
        if (!user) throw notFound('user', id);
        return ok(user, { etag: user.revision });
      },
    }),
    endpoint.write({
      method: 'patch',
      path: '/api/users/:id',
      operationId: 'changeUser',
      audit: { action: 'user.updated' },
      summary: 'Change a user; a new password or disabling ends its sessions, new roles its access tokens',
      description:
        'Absent members do not change. The last administrator of a tenant cannot be disabled or lose the role (409).',
      access,
      params,
      body: userChangeSchema,
      answers: { 200: oneUser },
      problems: ['conflict', 'email_already_exists'],
      async handle({ principal, params: { id }, body, ifMatch }) {
        const user = await changeUser(db, principal.tenantId, id, body, ifMatch);
        return ok(user, { etag: user.revision });
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/users/:id',
      operationId: 'deleteUser',
      audit: { action: 'user.deleted' },
      summary: 'Delete a user',
      description: 'The last administrator of a tenant cannot be deleted (409).',
      access,
      params,
      answers: { 204: deletedUser },
      problems: ['conflict'],
      async handle({ principal, params: { id }, ifMatch }) {
        await removeUser(db, principal.tenantId, id, ifMatch);
        return noContent();
      },
    }),
  ];
}

function createRoute(store: IdempotencyStore<IdempotencyUnit>, quotas: AccountQuotas): Endpoint {
  return endpoint.write({
    method: 'post',
    path: '/api/users',
    operationId: 'createUser',
    audit: { action: 'user.created' },
    summary: 'Create a user',
    access,
    body: newUserSchema,
    idempotency: { store },
    answers: { 201: createdUser },
    problems: ['quota_exceeded', 'not_found', 'email_already_exists'],
    async handle({ principal, body: { password, ...user }, db }) {
      if (password !== undefined)
        await assertNotGuessable(db, 'password', password, { ...user, tenantId: principal.tenantId });
      const passwordHash = await hashPassword(password ?? unusablePassword());
      const { tenantId } = principal;
      const made = await db.transaction(async (tx) => {
        const inserted = await insertUser(tx, tenantId, { ...user, passwordHash });
        await quotas.assertRoom(tx, tenantId, 'users', countUsers({ tenantId }), 1);
        const after = { roles: inserted.roles, isEnabled: inserted.isEnabled };
        await recordAudit(tx, { tenantId, object: ['user', inserted.id], after });
        return inserted;
      });
      return created(`/api/users/${made.id}`, made, { etag: made.revision });
    },
  });
}
