import { currentPrincipal, invalidToken, type CurrentPrincipal, type Principal } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import { tenantName } from '../tenants';
import { credentialsById } from '../users';

/**
 * The caller of a token, with the current name and address of a user. A deleted or disabled user gets a 401.
 */
export async function whoAmI(db: Database, principal: Principal): Promise<CurrentPrincipal> {
  const { subject, kind, tenantId } = principal;
  const user = kind === 'user' ? await credentialsById(db, tenantId, subject) : undefined;
  if (kind === 'user' && !user?.isEnabled)
    throw invalidToken('The user of the token is deleted or disabled.');
  return {
    ...currentPrincipal(principal),
    tenantName: (await tenantName(db, tenantId)) ?? null,
    ...(user && { email: user.email, name: user.name }),
  };
}
