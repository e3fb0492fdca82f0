import { rolePermissions, roles } from '@canvass/auth';
import type { Access } from '@canvass/service-kit';
import type { EndpointTable } from './endpoint-tables';

/** Callers without a special token. */
const callers = ['No token', 'Signed in', ...roles] as const;
type Caller = (typeof callers)[number];

/** A public route, and what each caller is answered: `yes` or the status. */
export interface PermissionRoute {
  service: string;
  method: string;
  /** The path as the endpoint table has it: `/api/forms/:formId` */
  path: string;
  operation: string;
  /** A permission, or in words what a caller needs. */
  needs: string;
  /** The action that the audit trail keeps, or null. */
  recorded: string | null;
  expected: Record<Caller, 'yes' | '401' | '403'>;
}

/** Returns all public routes by service: for `docs/permissions.md`, and for the test that walks them. */
export const permissionRoutes = (tables: ReadonlyMap<string, EndpointTable>): PermissionRoute[] =>
  [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([service, table]) =>
      table.public.map(({ method, path, operationId, access, audit }) => {
        const expected = callers.map((caller) => [caller, outcome(access, caller)]);
        return {
          service,
          method: method.toUpperCase(),
          path,
          operation: operationId,
          needs: typeof access === 'object' ? access.permission : words[access],
          recorded: audit !== undefined && 'action' in audit ? audit.action : null,
          expected: Object.fromEntries(expected) as PermissionRoute['expected'],
        };
      }),
    );

const words: Record<Exclude<Access, object>, string> = {
  anonymous: 'open',
  optional: 'open, token verified',
  authenticated: 'signed in',
  custom: 'form-access token',
  cookie: 'session cookie',
  internal: 'token between services',
};

function outcome(access: Access, caller: Caller): 'yes' | '401' | '403' {
  if (access === 'anonymous' || access === 'optional') return 'yes';
  if (access === 'custom' || access === 'cookie' || access === 'internal' || caller === 'No token')
    return '401';
  if (access === 'authenticated') return 'yes';
  return caller !== 'Signed in' && rolePermissions[caller].includes(access.permission) ? 'yes' : '403';
}
