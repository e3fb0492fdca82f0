import { recordAudit } from '@canvass/audit';
import type { Role } from '@canvass/auth';
import { sqlState, type Database, type Tx } from '@canvass/postgres';
import { insertServiceAccount, secretHash } from '../service-accounts';
import { hashPassword, insertUser } from '../users';
import type { BootstrapTenant } from './bootstrap-settings';
import { insertTenant, tenantExists } from './tenants.sql';

const administrator: Role[] = ['Admin'];
const integration: Role[] = ['Integration'];

/**
 * Creates the missing configured tenants, each with its administrator and service account in one transaction.
 * An existing tenant is not changed, so a restart restores no deleted administrator and no old password.
 * Replicas that start at once wait for each other at the unique name. Returns the names of the created
 * tenants.
 */
export async function bootstrap(db: Database, tenants: readonly BootstrapTenant[]): Promise<string[]> {
  const made: string[] = [];
  for (const tenant of tenants) {
    if (await tenantExists(db, tenant.Name)) continue;
    const passwordHash = await hashPassword(tenant.AdminPassword);
    try {
      if (await db.transaction((tx) => make(tx, tenant, passwordHash))) made.push(tenant.Name);
    } catch (err) {
      if (sqlState(err) !== '23505') throw err;
      throw new Error(
        `Service:Bootstrap cannot create the tenant "${tenant.Name}": its ClientId is used by another tenant.`,
        { cause: err },
      );
    }
  }
  return made;
}

async function make(tx: Tx, tenant: BootstrapTenant, passwordHash: string): Promise<boolean> {
  const tenantId = await insertTenant(tx, tenant.Name);
  if (tenantId === undefined) return false;
  await recordAudit(tx, { tenantId, object: ['tenant', tenantId], action: 'tenant.created' });
  const user = { email: tenant.AdminEmail, name: null, roles: administrator, isEnabled: true, passwordHash };
  await insertUser(tx, tenantId, user, { byOperator: true });
  if (tenant.ServiceAccount) {
    await insertServiceAccount(tx, tenantId, {
      clientId: tenant.ServiceAccount.ClientId,
      name: tenant.ServiceAccount.ClientId,
      roles: integration,
      isEnabled: true,
      expiresAt: null,
      formIds: null,
      secretHash: secretHash(tenant.ServiceAccount.ClientSecret),
    });
  }
  return true;
}
