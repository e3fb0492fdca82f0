import { bootstrapTenants } from './demo-logins';
import type { Secrets } from './secrets';

/** The processes of a stack in the order they are started, with the word the command line uses for each. */
export const services = {
  'identity-svc': 'identity',
  'submissions-svc': 'submissions',
  'datalists-svc': 'datalists',
  'webhook-relay-svc': 'relay',
  gateway: 'gateway',
} as const;

export type ServiceName = keyof typeof services;

export const serviceNames = Object.keys(services) as ServiceName[];

/** The service that a word such as `relay` or `webhook-relay-svc` means, or null. */
export function serviceByWord(word: string): ServiceName | null {
  return serviceNames.find((name) => name === word || services[name] === word) ?? null;
}

/** What a process of the stack has to know of the others. */
export interface StackAddresses {
  /** Public and internal base URL of the first copy of each service. */
  urls: Record<ServiceName, { url: string; internalUrl: string }>;
  databaseUrl(service: ServiceName): string;
  amqpUrl: string;
}

/** Loopback may be a webhook's address in this profile only: receivers under development run here. */
const loopback = JSON.stringify(['127.0.0.0/8', '::1/128']);

/** The configuration of one copy of a service, as environment variables. */
export function serviceEnvironment(
  name: ServiceName,
  ports: { port: number; internalPort: number },
  stack: StackAddresses,
  secrets: Secrets,
): Record<string, string> {
  const { urls } = stack;
  const hosting = {
    Service__Hosting__Host: '127.0.0.1',
    Service__Hosting__Port: String(ports.port),
    Service__Hosting__InternalPort: String(ports.internalPort),
    Service__Hosting__DrainSeconds: '0', // nothing balances between copies here
  };
  const database = () => ({ Service__Database__Url: stack.databaseUrl(name) });
  const broker = { Service__Broker__Url: stack.amqpUrl };
  const auth = { Service__Auth__Own__JwksUri: `${urls['identity-svc'].url}/.well-known/jwks.json` };
  const internal = { Service__Internal__Secret: secrets.internalSecret };
  const encryption = { Service__Encryption__Keys: JSON.stringify([secrets.encryptionKeys[name]]) };
  const allowed = { Service__WebHooks__AllowedNetworks: loopback };
  switch (name) {
    case 'identity-svc':
      return {
        ...hosting,
        ...database(),
        ...auth,
        ...encryption,
        Service__Bootstrap: JSON.stringify(bootstrapTenants(secrets)),
      };
    case 'submissions-svc':
      return {
        ...hosting,
        ...database(),
        ...broker,
        ...auth,
        ...internal,
        ...encryption,
        ...allowed,
        Service__Submitter__ProfileSnapshotFields: JSON.stringify(['department', 'name']),
      };
    case 'datalists-svc':
      return {
        ...hosting,
        ...database(),
        ...broker,
        ...auth,
        Service__FormAccess__JwksUri: `${urls['submissions-svc'].url}/.well-known/form-access-jwks.json`,
      };
    case 'webhook-relay-svc':
      return {
        ...hosting,
        ...database(),
        ...broker,
        ...auth,
        ...internal,
        ...encryption,
        ...allowed,
        Service__Settings__BaseUrl: urls['submissions-svc'].internalUrl,
      };
    case 'gateway':
      return {
        ...hosting,
        Service__Gateway__Services__Submissions: urls['submissions-svc'].url,
        Service__Gateway__Services__DataLists: urls['datalists-svc'].url,
        Service__Gateway__Services__Identity: urls['identity-svc'].url,
        Service__Gateway__Services__WebHookRelay: urls['webhook-relay-svc'].url,
      };
  }
}
