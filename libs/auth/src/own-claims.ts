import { invalidToken } from './challenge';
import { isRole, permissionsOf } from './permissions';
import { ownProvider, type Principal } from './principal';
import { isId } from './settings';
import type { Claims } from './verify-claims';

/** The longest `sub` that OpenID Connect allows. */
export const maxSubjectLength = 255;

/** The caller of a token of the own provider: `sub`, `tid`, `kind` and `roles` as identity-svc writes them. */
export function ownPrincipal(claims: Claims): Principal {
  const { sub, tid, kind, roles } = claims;
  if (!isSubject(sub)) throw invalidToken('The token names no subject.');
  if (!isId(tid)) throw invalidToken('The token names no tenant.');
  if (kind !== 'user' && kind !== 'service') throw invalidToken('The token is of no known kind.');
  // A role that this version does not know gives nothing: services are updated one after the other.
  const granted = Array.isArray(roles) ? roles.filter(isRole) : [];
  return {
    provider: ownProvider,
    kind,
    subject: sub,
    tenantId: tid,
    roles: granted,
    permissions: permissionsOf(granted),
    claims,
  };
}

/** Neither white space nor without width. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Whether this can be stored as a subject: not blank, at most 255 characters, nothing that Postgres' text refuses. */
export function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    visible.test(value) &&
    value.length <= maxSubjectLength &&
    !value.includes('\0') &&
    // Lone surrogates. The `u` flag makes a well-formed pair one character, which this class does not match.
    !/[\uD800-\uDFFF]/u.test(value)
  );
}
