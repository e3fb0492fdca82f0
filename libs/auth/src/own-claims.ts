import { invalidToken } from './challenge';
import { formPermissions, isRole, permissionsOf } from './permissions';
import { ownProvider, type Principal } from './principal';
import { isId } from './settings';
import type { Claims } from './verify-claims';

/** The longest `sub` that OpenID Connect allows. */
const maxSubjectLength = 255;

/**
 * The principal of an own token: `sub`, `tid`, `kind`, `roles` and `forms` as identity-svc writes them.
 */
export function ownPrincipal(claims: Claims): Principal {
  const { sub, tid, kind, roles, forms } = claims;
  if (!isSubject(sub)) throw invalidToken('The token names no subject.');
  if (!isId(tid)) throw invalidToken('The token names no tenant.');
  if (kind !== 'user' && kind !== 'service') throw invalidToken('The kind of the token is unknown.');
  // An unknown role grants nothing: during an update other services may know more roles.
  const granted = Array.isArray(roles) ? roles.filter(isRole) : [];
  const holder = { kind, subject: sub, tenantId: tid, roles: granted } as const;
  const principal = { ...holder, provider: ownProvider, claims };
  const permissions = permissionsOf(granted);
  if (forms === undefined) return { ...principal, permissions };
  if (!Array.isArray(forms) || !forms.every(isId)) throw invalidToken('The forms of the token are unknown.');
  return {
    ...principal,
    formIds: new Set(forms),
    permissions: new Set([...permissions].filter((permission) => formPermissions.has(permission))),
  };
}

/** A character that is neither white space nor zero-width. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether the value can be a subject: visible, at most 255 characters, valid in Postgres `text`. */
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
