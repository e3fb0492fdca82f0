import { authenticationRequired, permissionDenied, permissionWithheld } from './challenge';
import { privilegedPermissions, type Permission, type Role } from './permissions';

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
  /** The forms that a service account is restricted to; absent: all forms of the tenant. */
  formIds?: ReadonlySet<string>;
  permissions: ReadonlySet<Permission>;
  /** Permissions of the roles that are withheld at the moment; see `withholdPrivileged`. */
  withheld?: ReadonlySet<Permission>;
  /** All claims of the token, for the submitter's display id and profile. */
  claims: Readonly<Record<string, unknown>>;
}

/** Name of the own provider in `Principal.provider` and in `AuthProvider` of a submitter. */
export const ownProvider = 'Service';

/** The version in the claims of a token; tokens of before versions have none. */
export const versionOf = ({ ver }: { ver?: unknown }): number => (typeof ver === 'number' ? ver : 0);

/** The principal; throws a 401 without one. */
export function requirePrincipal(principal: Principal | null): Principal {
  if (!principal) throw authenticationRequired();
  return principal;
}

/**
 * The principal if it has the permission; throws a 401 without one, a 403 if it lacks the permission, a 503
 * if the permission is withheld.
 */
export function requirePermission(principal: Principal | null, permission: Permission): Principal {
  const caller = requirePrincipal(principal);
  if (caller.withheld?.has(permission)) throw permissionWithheld(permission);
  if (!caller.permissions.has(permission)) throw permissionDenied(permission);
  return caller;
}

/** The principal without its privileged permissions, while it is unknown whether its token is revoked. */
export function withholdPrivileged(principal: Principal): Principal {
  const granted = [...principal.permissions];
  return {
    ...principal,
    permissions: new Set(granted.filter((permission) => !privilegedPermissions.has(permission))),
    withheld: new Set(granted.filter((permission) => privilegedPermissions.has(permission))),
  };
}
