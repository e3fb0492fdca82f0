import { permissions, rolePermissions, roles, type Permission, type Role } from '@canvass/auth';
import { exactObject } from '@canvass/contracts';
import { digestOf, endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';

interface RoleView {
  name: Role;
  permissions: Permission[];
}

const items: RoleView[] = roles.map((name) => ({ name, permissions: [...rolePermissions[name]] }));

const role = exactObject<RoleView>('Role', {
  name: Joi.string()
    .valid(...roles)
    .description('as in `roles` of users and service accounts'),
  permissions: Joi.array()
    .items(Joi.string().valid(...permissions))
    .description('what a token with the role may do'),
}).example(items[2]!);

/** The roles of the installation. They are part of the build, and the same for all tenants. */
export function roleRoutes(): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/roles',
      operationId: 'listRoles',
      summary: 'The roles and their permissions',
      description: 'The same for all tenants; a new release may change them.',
      access: { permission: 'Users.Manage' },
      answers: {
        200: {
          description: 'All roles.',
          body: exactObject<{ items: RoleView[] }>('Roles', {
            items: Joi.array().items(role).description('all roles'),
          }),
          headers: { ETag: 'changes with the roles; for If-None-Match' },
          example: { items },
        },
      },
      handle: () => Promise.resolve(ok({ items }, { etag: digestOf({ items }) })),
    }),
  ];
}
