import { invalidToken, type Principal, type Role } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { tenantName } from '../tenants';
import { credentialsById } from '../users';

/** The caller in the response of `GET /api/auth/me`. */
export interface CurrentPrincipal {
  subject: string;
  kind: Principal['kind'];
  provider: string;
  tenantId: string;
  /** Null for a tenant that only an external provider knows. */
  tenantName: string | null;
  email: string | null;
  name: string | null;
  roles: Role[];
  permissions: string[];
}

/**
 * The caller of a token, with the current name and address of a user. A deleted or disabled user gets a 401.
 */
export async function whoAmI(db: Database, principal: Principal): Promise<CurrentPrincipal> {
  const { subject, kind, provider, tenantId, roles, permissions, claims } = principal;
  const user = kind === 'user' ? await credentialsById(db, tenantId, subject) : undefined;
  if (kind === 'user' && !user?.isEnabled)
    throw invalidToken('The user of the token is deleted or disabled.');
  const claim = (name: string) => (typeof claims[name] === 'string' ? claims[name] : null);
  return {
    subject,
    kind,
    provider,
    tenantId,
    tenantName: (await tenantName(db, tenantId)) ?? null,
    email: user?.email ?? claim('email'),
    name: user ? user.name : claim('name'),
    roles,
    permissions: [...permissions],
  };
}
