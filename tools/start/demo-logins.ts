import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, SetupError, writeJson } from '../infra';
import type { Secrets } from './secrets';

export interface DemoLogins {
  tenantId: string;
  adminEmail: string;
  adminPassword: string;
  serviceAccount: { clientId: string; clientSecret: string };
  otherTenant: { tenantId: string; adminEmail: string; adminPassword: string };
}

const first = { name: 'Demo', adminEmail: 'admin@demo.example', clientId: 'demo-integration' };
const other = { name: 'Other', adminEmail: 'admin@other.example', clientId: 'other-integration' };

/** `Service:Bootstrap` of identity-svc: two tenants, so that their separation can be seen and tested. */
export function bootstrapTenants(secrets: Secrets): object[] {
  return [
    {
      Name: first.name,
      AdminEmail: first.adminEmail,
      AdminPassword: secrets.adminPassword,
      ServiceAccount: { ClientId: first.clientId, ClientSecret: secrets.clientSecret },
    },
    {
      Name: other.name,
      AdminEmail: other.adminEmail,
      AdminPassword: secrets.otherAdminPassword,
      ServiceAccount: { ClientId: other.clientId, ClientSecret: secrets.otherClientSecret },
    },
  ];
}

/**
 * The logins of the two tenants with the ids their tenants got, learnt by signing in through the gateway.
 * The ids are kept in `<dir>/tenants.json`, for logins whose password was changed.
 */
export async function demoLogins(dir: string, gatewayUrl: string, secrets: Secrets): Promise<DemoLogins> {
  const file = path.join(dir, 'tenants.json');
  const known = readJson<Record<string, string>>(file) ?? {};
  const [tenantId, otherTenantId] = await Promise.all([
    tenantOf(gatewayUrl, first.adminEmail, secrets.adminPassword, known[first.name]),
    tenantOf(gatewayUrl, other.adminEmail, secrets.otherAdminPassword, known[other.name]),
  ]);
  writeJson(file, { [first.name]: tenantId, [other.name]: otherTenantId });
  return {
    tenantId,
    adminEmail: first.adminEmail,
    adminPassword: secrets.adminPassword,
    serviceAccount: { clientId: first.clientId, clientSecret: secrets.clientSecret },
    otherTenant: {
      tenantId: otherTenantId,
      adminEmail: other.adminEmail,
      adminPassword: secrets.otherAdminPassword,
    },
  };
}

async function tenantOf(
  gatewayUrl: string,
  email: string,
  password: string,
  known: string | undefined,
): Promise<string> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await fetch(`${gatewayUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(10_000),
    }).catch((error: Error) => error);
    if (!(answer instanceof Error) && answer.ok) {
      const { accessToken } = (await answer.json()) as { accessToken: string };
      return tenantClaim(accessToken);
    }
    // The gateway may look at a service less often than we do: a 5xx of the first moment passes.
    const status = answer instanceof Error ? 0 : answer.status;
    if (status === 401 && known !== undefined) return known;
    if ((status !== 0 && status < 500) || Date.now() > deadline) {
      const reason = answer instanceof Error ? answer.message : `${status} ${await answer.text()}`;
      throw new SetupError(
        `The login of ${email} does not work (${reason}): if its password was changed, "npm start -- --fresh" starts over without the old data.`,
      );
    }
    await sleep(200);
  }
}

/** Claim `tid`. The token came from the stack itself a moment ago; who relies on it verifies it. */
function tenantClaim(accessToken: string): string {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(payload) as { tid: string }).tid;
}
