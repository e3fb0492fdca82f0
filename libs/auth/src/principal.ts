import { authenticationRequired, permissionDenied } from './challenge';
import type { Permission, Role } from './permissions';

/** A verified caller. It exists only for tokens whose signature, issuer, audience and times were checked. */
export interface Principal {
  /** `Service` for the own provider, else the configured `Name` of an external one. */
  provider: string;
  /** Own user, own service account, or an identity of an external provider. */
  kind: 'user' | 'service' | 'external';
  /** `sub`: the user's or service account's id, or the external subject. */
  subject: string;
  /** Decimal string. Every caller has a tenant. */
  tenantId: string;
  roles: Role[];
  permissions: ReadonlySet<Permission>;
  /** All claims of the token, for the submitter's display id and profile. */
  claims: Readonly<Record<string, unknown>>;
}

/** Name of the own provider in `Principal.provider` and in `AuthProvider` of a submitter. */
export const ownProvider = 'Service';

/** The principal; throws a 401 without one. */
export function requirePrincipal(principal: Principal | null): Principal {
  if (!principal) throw authenticationRequired();
  return principal;
}

/**
 * The principal if it has the permission; throws a 401 without one, a 403 if it lacks the permission.
 */
export function requirePermission(principal: Principal | null, permission: Permission): Principal {
  const caller = requirePrincipal(principal);
  if (!caller.permissions.has(permission)) throw permissionDenied(permission);
  return caller;
}
