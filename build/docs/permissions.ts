import { permissions, rolePermissions, roles, type Permission } from '@canvass/auth';
import type { Access, Endpoint } from '@canvass/service-kit';
import type { EndpointTable } from '../routes/endpoint-tables';

const introduction = `# Permissions

Generated from the endpoint tables of the services by \`npx tsx build/docs/main.ts\`; do not edit. A test fails when it is
stale, and the permission walk (\`apps/e2e/test/permissions.spec.ts\`) takes its expectations from this page: it calls every
route below as every caller there is.

A token carries roles; a role is a set of permissions:

`;

const about = `## Routes

\`yes\`: the caller passes, and finds or misses what is of its own tenant; another tenant's is a 404. \`401\`: there is no
caller, or none that counts here. \`403\`: the caller lacks the permission. "Signed in" is a caller without any role.

- **open**: no token is looked at.
- **open, token verified**: anonymous callers pass; a bearer token that is sent must be good, else 401. A form that is not
  public requires one with \`Submissions.Create\`.
- **signed in**: any good token.
- **form-access token**: only a token of \`POST /api/public/forms/{formId}/access-tokens\`, for that form and its lists.
- A form-access token, a submission token and a token between services count nowhere as a bearer token: 401 wherever one
  is looked at.
`;

/** Callers without a special token, in the order of the columns. */
const columns = ['No token', 'Signed in', ...roles] as const;
type Caller = (typeof columns)[number];

/** The page as Markdown (not yet formatted). */
export function permissionsPage(tables: ReadonlyMap<string, EndpointTable>): string {
  const parts = [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([app, table]) => `### ${app}\n\n${routeTable(table.public)}`);
  const internal = [...tables].flatMap(([app, table]) =>
    table.internal.map(({ method, path }) => `| ${app} | ${method.toUpperCase()} | \`${path}\` |`),
  );
  return [
    introduction + roleTable(),
    about,
    ...parts,
    `## Between the services\n\nOn the internal listener, never routed by the gateway; the caller shows a token between services.\n`,
    ['| Service | Method | Path |', '|---|---|---|', ...internal].join('\n'),
  ].join('\n');
}

function roleTable(): string {
  const row = (permission: Permission) =>
    `| \`${permission}\` | ${roles.map((role) => (rolePermissions[role].includes(permission) ? 'yes' : '')).join(' | ')} |`;
  return [
    `| Permission | ${roles.join(' | ')} |`,
    `|---|${'---|'.repeat(roles.length)}`,
    ...permissions.map(row),
    '',
  ].join('\n');
}

function routeTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(({ method, path, operationId, access }) => {
    const cells = columns.map((caller) => outcome(access, caller));
    return `| ${method.toUpperCase()} | \`${path}\` | ${operationId} | ${needs(access)} | ${cells.join(' | ')} |`;
  });
  return [
    `| Method | Path | Operation | Needs | ${columns.join(' | ')} |`,
    `|---|---|---|---|${'---|'.repeat(columns.length)}`,
    ...rows,
    '',
  ].join('\n');
}

function needs(access: Access): string {
  if (typeof access === 'object') return `\`${access.permission}\``;
  const words: Record<Exclude<Access, object>, string> = {
    anonymous: 'open',
    optional: 'open, token verified',
    authenticated: 'signed in',
    custom: 'form-access token',
    internal: 'token between services',
  };
  return words[access];
}

function outcome(access: Access, caller: Caller): 'yes' | '401' | '403' {
  if (access === 'anonymous' || access === 'optional') return 'yes';
  if (access === 'custom' || access === 'internal' || caller === 'No token') return '401';
  if (access === 'authenticated') return 'yes';
  return caller !== 'Signed in' && rolePermissions[caller].includes(access.permission) ? 'yes' : '403';
}
