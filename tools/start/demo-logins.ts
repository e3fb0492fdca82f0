import path from 'node:path';
import { clientOf, eventually } from '@canvass/testing';
import { readJson, SetupError, writeJson } from '../infra';
import type { Secrets } from './secrets';

export interface DemoLogins {
  tenantId: string;
  adminEmail: string;
  adminPassword: string;
  serviceAccount: { clientId: string; clientSecret: string };
  otherTenant: Omit<DemoLogins, 'otherTenant'>;
}

/** Two tenants, so that their separation can be seen and tested. The last two name members of the secrets. */
const tenants = [
  ['Demo', 'admin@demo.example', 'demo-integration', 'adminPassword', 'clientSecret'],
  ['Other', 'admin@other.example', 'other-integration', 'otherAdminPassword', 'otherClientSecret'],
] as const;

/** `Service:Bootstrap` of identity-svc. */
export const bootstrapTenants = (secrets: Secrets): object[] =>
  tenants.map(([Name, AdminEmail, ClientId, password, secret]) => ({
    Name,
    AdminEmail,
    AdminPassword: secrets[password],
    ServiceAccount: { ClientId, ClientSecret: secrets[secret] },
  }));

/**
 * The logins of the two tenants with the ids their tenants got, learnt by signing in through the gateway.
 * The ids are kept in `<dir>/tenants.json`, for logins whose password was changed.
 */
export async function demoLogins(dir: string, gatewayUrl: string, secrets: Secrets): Promise<DemoLogins> {
  const file = path.join(dir, 'tenants.json');
  const known = readJson<Record<string, string>>(file) ?? {};
  const loginOf = async ([name, adminEmail, clientId, password, secret]: (typeof tenants)[number]) => {
    const adminPassword = secrets[password];
    const tenantId = await tenantOf(gatewayUrl, { email: adminEmail, password: adminPassword }, known[name]);
    const serviceAccount = { clientId, clientSecret: secrets[secret] };
    return { tenantId, adminEmail, adminPassword, serviceAccount };
  };
  const [demo, other] = await Promise.all([loginOf(tenants[0]), loginOf(tenants[1])]);
  writeJson(file, { [tenants[0][0]]: demo.tenantId, [tenants[1][0]]: other.tenantId });
  return { ...demo, otherTenant: other };
}

/** @param known the id of an earlier start */
async function tenantOf(
  gatewayUrl: string,
  login: { email: string; password: string },
  known: string | undefined,
): Promise<string> {
  const client = clientOf(gatewayUrl, undefined, 10_000);
  // The gateway may look at a service less often than we do: a 5xx of the first moment passes.
  const { status, body } = await eventually(
    async () => {
      const answer = await client.call<{ accessToken: string }>('POST', '/api/auth/login', login);
      if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    { timeoutMs: 20_000, message: `the login of ${login.email}` },
  );
  if (status === 200) return tenantClaim(body.accessToken);
  if (status === 401 && known !== undefined) return known;
  throw new SetupError(
    `The login of ${login.email} does not work (${status} ${JSON.stringify(body)}): if its password was changed, "npm start -- --fresh" starts over without the old data.`,
  );
}

/** Claim `tid`. The token came from the stack itself a moment ago; who relies on it verifies it. */
function tenantClaim(accessToken: string): string {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(payload) as { tid: string }).tid;
}
