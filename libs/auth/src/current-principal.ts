import type { Principal } from './principal';
import type { Role } from './permissions';

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

/** The caller as the token describes it. */
export function currentPrincipal(principal: Principal): CurrentPrincipal {
  const { subject, kind, provider, tenantId, roles, permissions, claims } = principal;
  const claim = (name: string) => (typeof claims[name] === 'string' ? claims[name] : null);
  return {
    subject,
    kind,
    provider,
    tenantId,
    tenantName: null,
    email: claim('email'),
    name: claim('name'),
    roles,
    permissions: [...permissions],
  };
}
