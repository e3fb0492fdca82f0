import { clientOf, type Client, openIdConnectProvider, testIssuer } from '@canvass/testing';
import { type Callers } from './client';
import { startOtherStack, stopOtherStack, type OtherStackFile } from './stack';

type OtherService = keyof OtherStackFile['services'];

/** Health URLs of the processes of the other stack. */
export const healthPaths: Record<OtherService, string> = {
  'submissions-svc': '/state/of/forms',
  'datalists-svc': '/state/of/lists',
  'webhook-relay-svc': '/state/of/webhooks',
  gateway: '/state',
};

export interface OtherStack extends Callers {
  file: OtherStackFile;
  /** The configuration of its gateway, without the addresses of the services. */
  gatewayEnvironment: Record<string, string>;
  /** Lets the console at another base URL sign people in. */
  admit(gatewayUrl: string): Promise<void>;
  /** A user of the identity provider without a mapped role. */
  respondent: Client;
  /** Sends a valid token of an issuer that is not configured, with the same claims as `admin`. */
  unlisted: Client;
  /** Sends a token in the format of identity-svc. */
  ownProvider: Client;
  /** Number of jobs that the relay has consumed; the broker updates it every few seconds. */
  jobsTaken(): Promise<number>;
  stop(): Promise<void>;
}

const [tenant, otherTenant] = ['4711', '4712'];
const audience = 'canvass-api';
const nameOf: Record<OtherService, string> = {
  'submissions-svc': 'Submissions',
  'datalists-svc': 'DataLists',
  'webhook-relay-svc': 'WebHookRelay',
  gateway: '',
};

/**
 * Starts a stack with other settings than the stack of the other specs: two OpenID Connect providers instead
 * of identity-svc, a job for each delivery, and different health paths in every process.
 *
 * @param ofSubmissions more settings of submissions-svc
 */
export async function otherStack(ofSubmissions: Record<string, string> = {}): Promise<OtherStack> {
  const [provider, partner, unlisted, own] = await Promise.all([
    openIdConnectProvider({
      shape: 'keycloak',
      audience,
      people: {
        grace: { tenant, name: 'Grace Hopper', roles: ['forms-admin'] },
        ada: { tenant, name: 'Ada Lovelace', department: 'Analysis', roles: ['Admin'] },
        crm: { tenant, roles: ['forms-integration'] },
        eve: { tenant: otherTenant, roles: ['forms-admin'] },
      },
    }),
    openIdConnectProvider({
      shape: 'plain',
      audience,
      people: { mary: { name: 'Mary Shelley' } },
      // The console renews tokens 30 s before their end.
      tokenSeconds: 35,
      hasRefreshTokens: true,
    }),
    testIssuer({ shape: 'keycloak', audience }),
    testIssuer(),
  ]);
  const env = environmentOf(provider.issuer, partner.issuer);
  Object.assign(env['submissions-svc'], ofSubmissions);
  const file = await startOtherStack(env);
  const { gatewayUrl } = file;
  const admit = async (url: string) => void (await Promise.all([provider.admit(url), partner.admit(url)]));
  await admit(gatewayUrl);
  const as = async (login: string) => clientOf(gatewayUrl, (await provider.signIn(login)).accessToken);
  const [admin, respondent, integration, stranger] = await Promise.all(
    ['grace', 'ada', 'crm', 'eve'].map(as),
  );
  return {
    file,
    gatewayEnvironment: env.gateway,
    admit,
    gatewayUrl,
    anonymous: clientOf(gatewayUrl),
    admin: admin!,
    stranger: stranger!,
    integration: integration!,
    respondent: respondent!,
    unlisted: clientOf(gatewayUrl, unlisted.token({ sub: 'grace', tenant, roles: ['forms-admin'] })),
    ownProvider: clientOf(gatewayUrl, own.token({ tid: tenant, roles: ['Admin'] })),
    jobsTaken: () => jobsTaken(file.amqpManagementUrl),
    async stop() {
      await stopOtherStack();
      await Promise.all([provider.close(), partner.close(), unlisted.close(), own.close()]);
    },
  };
}

function environmentOf(issuer: string, partner: string): Record<OtherService, Record<string, string>> {
  const providers = [
    {
      Name: 'Company',
      Issuer: issuer,
      Audience: audience,
      TenantClaim: 'tenant',
      RoleClaim: 'realm_access.roles',
      RoleMap: { 'forms-admin': 'Admin', 'forms-integration': 'Integration' },
    },
    {
      Name: 'Partner',
      Issuer: partner,
      Audience: 'forms', // the client: the console sends ID tokens
      AcceptIdTokens: true,
      TenantId: tenant,
      DefaultRoles: ['Viewer'],
    },
  ];
  const common = (service: OtherService) => ({
    Service__Auth__Providers: JSON.stringify(providers),
    Service__Hosting__HealthCheckPath: healthPaths[service],
    Service__Hosting__LivenessPath: `${healthPaths[service]}/live`,
    Service__Hosting__ReadinessPath: `${healthPaths[service]}/ready`,
  });
  const probes = (['submissions-svc', 'datalists-svc', 'webhook-relay-svc'] as const).flatMap((service) => {
    const key = `Service__Gateway__Probes__${nameOf[service]}`;
    return [
      [`${key}__HealthCheckPath`, healthPaths[service]],
      [`${key}__ReadinessPath`, `${healthPaths[service]}/ready`],
    ] as const;
  });
  return {
    'submissions-svc': {
      ...common('submissions-svc'),
      Service__Submitter__DisplayIdClaimTypes: '["name"]',
    },
    'datalists-svc': common('datalists-svc'),
    'webhook-relay-svc': {
      ...common('webhook-relay-svc'),
      Service__Outbox__DeliverToJobQueue: 'true',
      Service__WebHooks__RetryScheduleSeconds: '[0.2,0.2]',
    },
    gateway: {
      ...common('gateway'),
      ...Object.fromEntries(probes),
      Service__Gateway__Console__Providers: JSON.stringify(
        ['Company', 'Partner'].map((Name) => ({ Name, ClientId: 'forms', Scope: 'openid forms' })),
      ),
    },
  };
}

async function jobsTaken(managementUrl: string | null): Promise<number> {
  const { origin, username, password } = new URL(managementUrl ?? '');
  const answer = await fetch(`${origin}/api/queues/other/webhook.deliveries`, {
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  });
  const { message_stats: stats } = (await answer.json()) as { message_stats?: { ack?: number } };
  return stats?.ack ?? 0;
}
