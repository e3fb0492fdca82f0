import { permissions, rolePermissions, roles } from '@canvass/auth';
import type { EndpointTable } from '../routes/endpoint-tables';
import { permissionRoutes, type PermissionRoute } from '../routes/permission-routes';

const introduction = `# Permissions

Generated from the endpoint tables of the services by \`npx tsx build/docs/main.ts\`; do not edit. A test fails when it is
stale, and the permission walk (\`apps/e2e/test/permissions.spec.ts\`) calls every route below as every caller.

A token carries roles; a role is a set of permissions:`;

const about = `## Routes

A caller without a token, or with one that does not count here, gets a 401. One without the permission gets a 403. What
belongs to another tenant is a 404.

- **open**: no token is looked at.
- **open, token verified**: anonymous callers pass; a bearer token that is sent must be good, else 401. A form that is not
  public requires one with \`Submissions.Create\`.
- **signed in**: any good token.
- **form-access token**: only a token of \`POST /api/public/forms/{formId}/access-tokens\`, for that form and its lists.
- **session cookie**: only the cookie of \`POST /api/auth/session\`, from a page of the same origin.
- **Recorded as**: the action in the [audit trail](operate/audit.md). Changes are recorded if they change
  something, \`GET /api/audit\` if it exports.
- A form-access token, a submission token and a token between services count nowhere as a bearer token: 401 wherever one
  is looked at.`;

/** The page as Markdown (not yet formatted). */
export function permissionsPage(tables: ReadonlyMap<string, EndpointTable>): string {
  const routes = permissionRoutes(tables);
  const services = [...new Set(routes.map(({ service }) => service))];
  const internal = [...tables]
    .filter(([, table]) => table.internal.length > 0)
    .map(([app, table]) => {
      const operations = table.internal.map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``);
      return `- ${app}: ${operations.join(', ')}`;
    });
  return [
    introduction,
    tableOf(
      ['Permission', ...roles],
      permissions.map((permission) => [
        `\`${permission}\``,
        ...roles.map((role) => (rolePermissions[role].includes(permission) ? 'yes' : '')),
      ]),
    ),
    about,
    ...services.flatMap((service) => [`### ${service}`, routeTable(routes, service)]),
    '## Between the services',
    'On the internal listener, never routed by the gateway; the caller shows a token between services.',
    internal.join('\n'),
  ].join('\n\n');
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function routeTable(routes: readonly PermissionRoute[], service: string): string {
  const rows = routes
    .filter((route) => route.service === service)
    .map(({ method, path, needs, recorded }) => {
      const shown = /^[A-Z]/.test(needs) ? `\`${needs}\`` : needs;
      return [`\`${method} ${path}\``, shown, recorded === null ? '' : `\`${recorded}\``];
    });
  return tableOf(['Operation', 'Needs', 'Recorded as'], rows);
}
