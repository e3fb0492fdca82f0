import { brokerRights, serviceTopology } from '@canvass/contracts';
import { provisionBroker, virtualHostOf } from '@canvass/messaging';
import { loginOf, ownerOf, provision, serviceSchemas } from '@canvass/postgres';
import { bootstrapTenants } from './demo-logins';
import type { Secrets } from './secrets';

/** The processes of a stack in the order they are started, with the word the command line uses for each. */
const services = {
  'identity-svc': 'identity',
  'submissions-svc': 'submissions',
  'datalists-svc': 'datalists',
  'webhook-relay-svc': 'relay',
  gateway: 'gateway',
} as const;

export type ServiceName = keyof typeof services;

export const serviceNames = Object.keys(services) as ServiceName[];

/**
 * Further configuration, as environment variables: of a service, or of one of its copies
 * (`webhook-relay-svc-2`).
 */
export type ServiceEnvironments = Partial<
  Record<ServiceName | `${ServiceName}-${number}`, Record<string, string>>
>;

/** The service that a word such as `relay` or `webhook-relay-svc` means, or null. */
export function serviceByWord(word: string): ServiceName | null {
  return serviceNames.find((name) => name === word || services[name] === word) ?? null;
}

/** Public and internal base URL of the first copy of a service, and the public ones of all its copies. */
interface ServiceUrls {
  url: string;
  internalUrl: string;
  copies: string[];
}

/** The addresses that a process of the stack has to know of the others. */
export interface StackAddresses {
  /** A stack may do without identity-svc. */
  urls: Record<Exclude<ServiceName, 'identity-svc'>, ServiceUrls> &
    Partial<Record<'identity-svc', ServiceUrls>>;
  /** The URL of any login; the services get that of their roles. */
  databaseUrl: string;
  /** URL of the broker. With a management API it names server and virtual host; services have own users. */
  amqpUrl: string;
  amqpManagementUrl: string | null;
}

/** Returns the URL of a database with the login of a service's role; null for a service without a database. */
export function roleUrl(
  databaseUrl: string,
  service: string,
  { prefix, rolePasswords }: Secrets,
): string | null {
  const schema = serviceSchemas.find((entry) => entry.service === service)?.schema;
  if (schema === undefined) return null;
  const url = new URL(databaseUrl);
  [url.username, url.password] = [loginOf(prefix, schema), rolePasswords[service] ?? ''];
  return url.href;
}

/** Returns the URL with the login of the role that owns the schema of a service; null as in `roleUrl`. */
function ownerUrl(databaseUrl: string, service: string, secrets: Secrets): string | null {
  const ofRole = roleUrl(databaseUrl, service, secrets);
  if (ofRole === null) return null;
  const url = new URL(ofRole);
  [url.username, url.password] = [ownerOf(url.username), secrets.ownerPasswords[service] ?? ''];
  return url.href;
}

/** Creates the roles and schemas of all services in a database. */
export function provisionServices(
  databaseUrl: string,
  { prefix, rolePasswords, ownerPasswords }: Secrets,
): Promise<void> {
  return provision(
    databaseUrl,
    serviceSchemas.map(({ service, schema }) => ({
      schema,
      role: loginOf(prefix, schema),
      password: rolePasswords[service] ?? '',
      ownerPassword: ownerPasswords[service] ?? '',
    })),
  );
}

/** The URL of a broker with the user of a service, if `provisionBrokerUsers` could create it. */
function brokerUrl(
  { amqpUrl, amqpManagementUrl }: Pick<StackAddresses, 'amqpUrl' | 'amqpManagementUrl'>,
  service: ServiceName,
  { prefix, brokerPasswords }: Secrets,
): string {
  const schema = brokerRights.find((entry) => entry.service === service)?.schema;
  if (amqpManagementUrl === null || schema === undefined) return amqpUrl;
  const url = new URL(amqpUrl);
  [url.username, url.password] = [loginOf(prefix, schema), brokerPasswords[service] ?? ''];
  return url.href;
}

/** Declares queues and exchanges, and creates the users of all services. Without a management API it cannot. */
export async function provisionBrokerUsers(
  { amqpUrl, amqpManagementUrl }: Pick<StackAddresses, 'amqpUrl' | 'amqpManagementUrl'>,
  { prefix, brokerPasswords }: Secrets,
): Promise<void> {
  if (amqpManagementUrl === null) return;
  const users = brokerRights.map((rights) => ({
    ...rights,
    user: loginOf(prefix, rights.schema),
    password: brokerPasswords[rights.service] ?? '',
  }));
  const broker = { managementUrl: amqpManagementUrl, virtualHost: virtualHostOf(amqpUrl) };
  await provisionBroker(broker, serviceTopology, users);
}

/** Loopback may be a webhook's address in this profile only: receivers under development run here. */
const loopback = JSON.stringify(['127.0.0.0/8', '::1/128']);

/**
 * Out of reach: on this profile load tools send all that a machine can take, from one address with one
 * token.
 */
const rateLimits = {
  Service__Gateway__RateLimits__PerAddress: '10000000',
  Service__Gateway__RateLimits__PerAccount: '10000000',
  Service__Gateway__RateLimits__PerFormToken: '10000000',
  Service__Gateway__RateLimits__AnonymousCreates: '10000000',
  Service__Gateway__RateLimits__AnonymousSaves: '10000000',
  Service__Gateway__MaxConnectionsPerAddress: '0',
};

/** The configuration of one copy of a service, as environment variables. */
export function serviceEnvironment(
  name: ServiceName,
  ports: { port: number; internalPort: number },
  { urls, databaseUrl, ...broker }: StackAddresses,
  secrets: Secrets,
): Record<string, string> {
  const identity = urls['identity-svc'];
  const submissions = urls['submissions-svc'];
  const database = roleUrl(databaseUrl, name, secrets);
  const isOneOf = (...names: ServiceName[]) => names.includes(name);
  const own: Record<ServiceName, Record<string, string>> = {
    'identity-svc': {
      Service__Bootstrap: JSON.stringify(bootstrapTenants(secrets)),
      Service__Audit__Areas__Forms: submissions.internalUrl,
      Service__Audit__Areas__DataLists: urls['datalists-svc'].internalUrl,
      Service__Audit__Areas__WebHooks: urls['webhook-relay-svc'].internalUrl,
    },
    'submissions-svc': {
      Service__DataLists__BaseUrl: urls['datalists-svc'].internalUrl,
      Service__Submitter__ProfileSnapshotFields: JSON.stringify(['department', 'name']),
    },
    'datalists-svc': {
      Service__FormAccess__JwksUri: `${submissions.url}/.well-known/form-access-jwks.json`,
    },
    'webhook-relay-svc': { Service__Settings__BaseUrl: submissions.internalUrl },
    gateway: {
      ...(identity && { Service__Gateway__Services__Identity: JSON.stringify(identity.copies) }),
      ...rateLimits,
      Service__Gateway__Services__Submissions: JSON.stringify(submissions.copies),
      Service__Gateway__Services__DataLists: JSON.stringify(urls['datalists-svc'].copies),
      Service__Gateway__Services__WebHookRelay: JSON.stringify(urls['webhook-relay-svc'].copies),
    },
  };
  return {
    Service__Hosting__Host: '127.0.0.1',
    Service__Hosting__Port: String(ports.port),
    Service__Hosting__InternalPort: String(ports.internalPort),
    // Only a balancer of several copies needs time to notice the stop.
    Service__Hosting__DrainSeconds: (urls[name]?.copies.length ?? 1) > 1 ? '1' : '0',
    ...(identity && {
      Service__Auth__Own__JwksUri: `${identity.url}/.well-known/jwks.json`,
      Service__Auth__Own__RevocationsUri: `${identity.internalUrl}/internal/revocations`,
    }),
    // Only here do the processes have both logins. A deployment migrates by a command that has the second.
    ...(database !== null && {
      Service__Database__Url: database,
      Service__Database__MigrationUrl: ownerUrl(databaseUrl, name, secrets)!,
    }),
    ...(isOneOf('submissions-svc', 'datalists-svc', 'webhook-relay-svc') && {
      Service__Broker__Url: brokerUrl(broker, name, secrets),
    }),
    ...(isOneOf('identity-svc', 'submissions-svc', 'webhook-relay-svc') && {
      Service__Encryption__Keys: JSON.stringify([secrets.encryptionKeys[name]]),
    }),
    ...(name !== 'gateway' && { Service__Internal__Secret: secrets.internalSecret }),
    ...(isOneOf('submissions-svc', 'webhook-relay-svc') && {
      Service__WebHooks__AllowedNetworks: loopback,
    }),
    ...own[name],
  };
}
