import { invalidToken } from './challenge';
import { isSubject } from './own-claims';
import { isRole, permissionsOf, type Role } from './permissions';
import type { Principal } from './principal';
import { isId, type ExternalProvider } from './settings';
import { isRecord, type UnverifiedToken } from './token-text';
import type { Claims } from './verify-claims';

/**
 * The principal of an external provider's token: tenant by configuration or claim, roles by claim and map.
 */
export function externalPrincipal(
  provider: ExternalProvider,
  claims: Claims,
  token: Pick<UnverifiedToken, 'type'>,
): Principal {
  if (!isAccessToken(provider, claims, token.type)) throw invalidToken('The token is not an access token.');
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
/** Claims of access tokens: of RFC 9068 and of Okta and Entra ID; `uid` is that of authentik. */
const accessClaims = ['scope', 'scp', 'client_id', 'cid', 'uid'];

/**
 * Rejects ID and logout tokens. They carry the same signature, and their audience is the client, which is
 * often configured as `Audience`. The `typ` of the header decides (RFC 9068), then that of Keycloak's claims.
 * Other ID tokens have claims of their own. A `nonce` alone does not make one: authentik, and Keycloak before
 * version 25, put it into access tokens, too.
 */
function isAccessToken({ AcceptIdTokens }: ExternalProvider, claims: Claims, type = 'jwt'): boolean {
  const has = (name: string) => Object.hasOwn(claims, name);
  if (type === 'at+jwt' || claims['typ'] === 'Bearer') return true;
  if (type !== 'jwt' || has('events')) return false;
  if (AcceptIdTokens) return claims['typ'] === undefined || claims['typ'] === 'ID';
  if (otherUses.has(claims['typ']) || has('at_hash') || has('c_hash')) return false;
  return !has('nonce') || accessClaims.some(has) || !isForClient(claims);
}

/** An ID token is for the client that asked for it, which `azp` names if the audience does not. */
const isForClient = ({ aud, azp }: Claims): boolean => azp === undefined || [aud].flat().includes(azp);

function tenantOf({ TenantId, TenantClaim, Tenants }: ExternalProvider, claims: Claims): string {
  const value = TenantId ?? (TenantClaim === undefined ? undefined : claimAt(claims, TenantClaim));
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (!isId(id)) throw invalidToken('The token names no tenant.');
  if (Tenants?.includes(id) === false) throw invalidToken('The provider may not name this tenant.');
  return id;
}

function rolesOf({ RoleClaim, RoleMap, DefaultRoles = [] }: ExternalProvider, claims: Claims): Role[] {
  const value = RoleClaim === undefined ? undefined : claimAt(claims, RoleClaim);
  // Many providers have a role named Admin, which is not meant to administrate here.
  const rolesNamed = (name: string): Role[] => {
    if (!RoleMap) return isRole(name) && name !== 'Admin' ? [name] : [];
    // Own members only: a role named `constructor` must not match an inherited member.
    return Object.hasOwn(RoleMap, name) ? [RoleMap[name]!].flat() : [];
  };
  const granted = namesIn(value).flatMap((name) => {
    const roles = rolesNamed(name);
    // A text is a name, or several: `scope` and claims like it separate them.
    return roles.length > 0 || value !== name ? roles : name.split(/[\s,]+/).flatMap(rolesNamed);
  });
  return [...new Set([...DefaultRoles, ...granted])];
}

/** The names in a claim: an array, one text, or the keys of an object (Zitadel). */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string');
  return isRecord(value) ? Object.keys(value) : [];
}

/**
 * A claim by name, else by path with `.` between the steps. A longer name is tried first because names may
 * contain dots (`https://example.org/claims.roles`).
 */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    const inner = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const found = isRecord(inner) ? claimAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
