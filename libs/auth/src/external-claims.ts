import { invalidToken } from './challenge';
import { isSubject } from './own-claims';
import { isRole, permissionsOf, type Role } from './permissions';
import type { Principal } from './principal';
import { isId, type ExternalProvider } from './settings';
import { isRecord } from './token-text';
import type { Claims } from './verify-claims';

/**
 * The principal of an external provider's token: tenant by configuration or claim, roles by claim and map.
 */
export function externalPrincipal(provider: ExternalProvider, claims: Claims): Principal {
  if (!isAccessToken(claims)) throw invalidToken('The token is not an access token.');
  const subject = claims['sub'];
  if (!isSubject(subject)) throw invalidToken('The token names no subject.');
  const roles = rolesOf(provider, claims);
  return {
    provider: provider.Name,
    kind: 'external',
    subject,
    tenantId: tenantOf(provider, claims),
    roles,
    permissions: permissionsOf(roles),
    claims,
  };
}

/** `typ` claims of Keycloak tokens that are not access tokens. */
const otherUses: ReadonlySet<unknown> = new Set(['ID', 'Refresh', 'Offline', 'Logout']);

/**
 * Rejects ID and logout tokens. They carry the same signature, and their audience is the client, which is
 * often configured as `Audience`. Keycloak marks them with `typ`; others contain claims that only OpenID
 * Connect ID and logout tokens have. Before version 25 Keycloak put the `nonce` into access tokens, too.
 */
function isAccessToken(claims: Claims): boolean {
  if (claims['typ'] === 'Bearer') return true;
  const ofOthers = ['at_hash', 'c_hash', 'nonce', 'events'].some((name) => Object.hasOwn(claims, name));
  return !ofOthers && !otherUses.has(claims['typ']);
}

function tenantOf({ TenantId, TenantClaim, Tenants }: ExternalProvider, claims: Claims): string {
  const value = TenantId ?? (TenantClaim === undefined ? undefined : claimAt(claims, TenantClaim));
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (!isId(id)) throw invalidToken('The token names no tenant.');
  if (Tenants?.includes(id) === false) throw invalidToken('The provider may not name this tenant.');
  return id;
}

function rolesOf({ RoleClaim, RoleMap, DefaultRoles = [] }: ExternalProvider, claims: Claims): Role[] {
  const value = RoleClaim === undefined ? undefined : claimAt(claims, RoleClaim);
  const names: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  const granted = names.flatMap((name): Role[] => {
    if (typeof name !== 'string') return [];
    // Many providers have a role of that name, which is not meant to administrate here.
    if (!RoleMap) return isRole(name) && name !== 'Admin' ? [name] : [];
    // Own members only: a role named `constructor` must not match an inherited member.
    const mapped = Object.hasOwn(RoleMap, name) ? RoleMap[name] : undefined;
    return mapped === undefined ? [] : [mapped].flat();
  });
  return [...new Set([...DefaultRoles, ...granted])];
}

/**
 * A claim by name, else by path with `.` between the steps. The name is tried first because names may contain
 * dots (`https://example.org/roles`).
 */
function claimAt(claims: Claims, nameOrPath: string): unknown {
  if (Object.hasOwn(claims, nameOrPath)) return claims[nameOrPath];
  let value: unknown = claims;
  for (const step of nameOrPath.split('.')) {
    value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
