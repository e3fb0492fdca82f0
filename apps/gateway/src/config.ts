import { authSettingsSchema, type AuthSettings } from '@canvass/auth';
import {
  ConfigurationError,
  healthSettingsSchema,
  hostingSettings,
  loggingSettingsSchema,
  tracingSettingsSchema,
  type HealthSettings,
  type HostingSettings,
  type LoggingSettings,
} from '@canvass/service-kit';
import Joi from 'joi';
import {
  consoleSettingsSchema,
  limitsSchema,
  submitterSchema,
  type ConsoleSettings,
  type ConsoleVariables,
  type KnownSettings,
} from './console';

/** Services that the gateway routes to, by their name in the configuration. */
export const serviceNames = ['Submissions', 'DataLists', 'Identity', 'WebHookRelay'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `Service:Gateway:RateLimits`: most requests in a window; 0 turns a limit off. */
export interface RateLimitSettings {
  WindowSeconds: number;
  PerAddress: number;
  PerAccount: number;
  PerFormToken: number;
  /** Per address, of callers without a token: creates of submissions, and saves of them. */
  AnonymousCreates: number;
  AnonymousSaves: number;
  /** The server where all gateways count together; without a URL each process counts alone. */
  Redis: { Url?: string; TimeoutMs: number };
  MostKeys: number;
}

/** The paths where a service reports its state. */
export interface ProbePaths {
  ReadinessPath: string;
  HealthCheckPath: string;
}

/** `Service:Gateway`. */
export interface GatewaySettings extends ProbePaths {
  /** Base URLs of each service's replicas. `Identity` may be absent with an external identity provider. */
  Services: Partial<Record<ServiceName, string[]>>;
  /** The path at which a proxy serves the gateway; empty for a host of its own. */
  PathPrefix: string;
  Cors: { Origins: string[] };
  /** Returns whether the OpenAPI and AsyncAPI documents and their page are served. */
  PublicDocuments: boolean;
  /** The place where vulnerabilities are reported, as a URL (RFC 9116 Section 2.5.3). */
  SecurityContact?: string;
  RateLimits: RateLimitSettings;
  TrustedHops: number;
  MaxConnectionsPerAddress: number;
  MaxConnectionsPerService: number;
  ConnectTimeoutMs: number;
  Breaker: { Failures: number; OpenMs: number };
  /** The probes of services whose paths differ from `ReadinessPath` and `HealthCheckPath`. */
  Probes: Partial<Record<ServiceName, Partial<ProbePaths>>>;
  HealthTimeoutMs: number;
  ReadinessIntervalMs: number;
  ClientIdleMs: number;
  Console: ConsoleSettings;
}

export interface GatewayConfig {
  Service: KnownSettings & {
    Hosting: HostingSettings;
    Health: HealthSettings;
    Logging: LoggingSettings;
    Gateway: GatewaySettings;
    Auth: AuthSettings;
  };
}

/** An origin without a path: the path of a request reaches the service as the client sent it. */
const baseUrl = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .pattern(/^https?:\/\/[^/?#@]+\/?$/)
  .messages({ 'string.pattern.base': 'must be a base URL without path, query or user info' });

/** One URL (of a load balancer, or of the only replica), or one for each replica. */
const replicas = Joi.array()
  .items(baseUrl)
  .single()
  .min(1)
  .max(32)
  .unique((a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, ''))
  .description('Base URL of the service, or those of its replicas.');

const origin = Joi.string()
  .pattern(/^(\*|https?:\/\/[^/?#@\s]+)$/)
  .messages({ 'string.pattern.base': 'must be an origin such as "https://forms.example.org", or "*"' });

const path = Joi.string().pattern(/^\/[A-Za-z0-9._~/-]+$/);

const probesSchema = Joi.object<Partial<ProbePaths>>({
  ReadinessPath: path.description('The Service:Hosting:ReadinessPath of the service, if it differs.'),
  HealthCheckPath: path.description('The Service:Hosting:HealthCheckPath of the service, if it differs.'),
});

const milliseconds = (fallback: number, purpose: string) =>
  Joi.number().integer().min(50).max(3_600_000).default(fallback).description(purpose);

const requests = (fallback: number, scope: string) =>
  Joi.number()
    .integer()
    .min(0)
    .max(10_000_000)
    .default(fallback)
    .description(`Most requests in a window ${scope}; 0: no limit.`);

const rateLimitsSchema = Joi.object<RateLimitSettings>({
  WindowSeconds: Joi.number().integer().min(1).max(3600).default(60).description('Length of a window.'),
  PerAddress: requests(
    60_000,
    'from one address (IPv6: one /64 network, and twice as many from its /56, four times from its /48)',
  ),
  PerAccount: requests(30_000, 'of one account, or, without Service:Auth, with one token'),
  PerFormToken: requests(12_000, 'with one form-access token'),
  AnonymousCreates: requests(
    300,
    'without a token that create submissions, from one address, which many people may share',
  ),
  AnonymousSaves: requests(1_800, 'without a token that save answers, from one address'),
  Redis: Joi.object({
    Url: Joi.string()
      .uri({ scheme: ['redis', 'rediss'] })
      .meta({ secret: true })
      .description('Redis or Valkey, in which all gateways count together.'),
    TimeoutMs: milliseconds(300, 'Longest wait for Redis. Then the process counts the request alone.'),
  }).default(),
  MostKeys: Joi.number()
    .integer()
    .min(100)
    .max(1_000_000)
    .default(20_000)
    .description('Clients that a process remembers for each limit, about 0.5 KB each.'),
}).default();

const gatewaySettingsSchema = Joi.object<GatewaySettings>({
  Services: Joi.object({
    Submissions: replicas.required(),
    DataLists: replicas.required(),
    Identity: replicas,
    WebHookRelay: replicas.required(),
  }).required(),
  Cors: Joi.object({
    Origins: Joi.array()
      .items(origin)
      .max(100)
      .default([])
      .description('Origins of web pages that may call the API from a browser.'),
  }).default(),
  PathPrefix: Joi.string()
    .pattern(/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/)
    .max(200)
    .allow('')
    .default('')
    .messages({
      'string.pattern.base': 'must be a path such as "/forms/canvass", without a slash at its end',
    })
    .description(
      'Path at which a reverse proxy serves the gateway, and which the proxy removes from requests.',
    ),
  PublicDocuments: Joi.boolean()
    .default(true)
    .description(
      'Whether /api/docs, /api/openapi.json, /api/openapi-webhooks.json and /api/asyncapi.json are served.',
    ),
  SecurityContact: Joi.string()
    .uri({ scheme: ['https', 'mailto', 'tel'] })
    .max(1000)
    .description(
      'Where vulnerabilities of this installation are reported, for /.well-known/security.txt: an https, mailto or tel URL.',
    ),
  RateLimits: rateLimitsSchema,
  TrustedHops: Joi.number()
    .integer()
    .min(0)
    .max(10)
    .default(0)
    .description('Number of reverse proxies in front of the gateway.'),
  MaxConnectionsPerAddress: Joi.number()
    .integer()
    .min(0)
    .max(1_000_000)
    .default(1_024)
    .description(
      'Most open connections of one address (IPv6: one /64 network); 0: no limit. Without effect if TrustedHops is not 0.',
    ),
  MaxConnectionsPerService: Joi.number()
    .integer()
    .min(1)
    .max(10_000)
    .default(256)
    .description(
      'Connections to each replica of a service; further requests are queued. At most half may be uploads over 64 KiB.',
    ),
  ConnectTimeoutMs: milliseconds(
    2_000,
    'A service that does not accept a connection within this time is unavailable.',
  ),
  Breaker: Joi.object({
    Failures: Joi.number()
      .integer()
      .min(1)
      .max(10_000)
      .default(20)
      .description('Failed requests in a row after which the circuit of a replica opens.'),
    OpenMs: milliseconds(
      1_000,
      'How long the circuit stays open. Then one request in each such time passes as a probe.',
    ),
  }).default(),
  ReadinessPath: path.default('/ready').description('The Service:Hosting:ReadinessPath of the services.'),
  HealthCheckPath: path
    .default('/health')
    .description('The Service:Hosting:HealthCheckPath of the services.'),
  Probes: Joi.object({
    Submissions: probesSchema,
    DataLists: probesSchema,
    Identity: probesSchema,
    WebHookRelay: probesSchema,
  }).default(),
  HealthTimeoutMs: milliseconds(
    700,
    'A service that does not report its health within this time counts as down.',
  ),
  ReadinessIntervalMs: milliseconds(
    500,
    'Interval between readiness probes of each replica. Must be less than Service:Hosting:DrainSeconds of the services.',
  ),
  ClientIdleMs: milliseconds(
    60_000,
    'A client that reads no byte for this long, or sends a larger body at less than 64 KiB a minute, is disconnected.',
  ),
  Console: consoleSettingsSchema,
}).required();

/** The paths at which the gateway requests the state of a service. */
export const probePathsOf = (
  settings: ProbePaths & Pick<GatewaySettings, 'Probes'>,
  service: ServiceName,
) => ({
  ReadinessPath: settings.Probes[service]?.ReadinessPath ?? settings.ReadinessPath,
  HealthCheckPath: settings.Probes[service]?.HealthCheckPath ?? settings.HealthCheckPath,
});

export const configSchema = Joi.object<GatewayConfig>({
  Service: Joi.object({
    Hosting: hostingSettings(8080, 9080),
    Health: healthSettingsSchema,
    Logging: loggingSettingsSchema,
    Tracing: tracingSettingsSchema,
    Gateway: gatewaySettingsSchema,
    // For the rate limits by account. The services decide what a caller may do.
    // Only to count the requests of an account; the services refuse revoked tokens.
    Auth: authSettingsSchema.fork('Own.RevocationsUri', (schema) => schema.optional()).default(),
    Submitter: submitterSchema,
    Limits: limitsSchema,
  })
    .required()
    .custom(assertKnownProviders),
});

/** The sign-in page offers only providers whose tokens the services accept. */
function assertKnownProviders(
  service: GatewayConfig['Service'],
  { message }: Joi.CustomHelpers,
): GatewayConfig['Service'] | Joi.ErrorReport {
  const { Console } = service.Gateway;
  const known = service.Auth.Providers.map(({ Name }) => Name);
  const unknown = Console.Providers.find(({ Name }) => !known.includes(Name));
  if (unknown === undefined) return service;
  return message({
    custom: `Service:Gateway:Console:Providers names ${unknown.Name}, which Service:Auth:Providers does not have`,
  });
}

/**
 * Reads the variables of the web console, which have names of their own. The fields are a list with commas
 * or JSON text. The display id is always a column, so that it is left out, as are repeated names.
 *
 * @throws {ConfigurationError} for JSON text that is no list of names
 */
export function consoleVariables(environment: NodeJS.ProcessEnv = process.env): ConsoleVariables {
  const fields = environment['NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS'] ?? '';
  const label = (environment['NEXT_PUBLIC_SUBMITTER_PRIMARY_FILTER_LABEL'] ?? '').trim();
  const named = fieldNames(fields.trim()).filter((name) => name !== '' && name !== 'SubmitterDisplayId');
  return {
    submitterGridProfileFields: [...new Set(named)],
    submitterPrimaryFilterLabel: label === '' ? null : label,
  };
}

function fieldNames(text: string): string[] {
  if (!text.startsWith('[')) return text.split(',').map((name) => name.trim());
  try {
    return Joi.attempt(JSON.parse(text), Joi.array().items(Joi.string())) as string[];
  } catch {
    throw new ConfigurationError([
      'NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS must be names with commas between them, or a JSON list of names.',
    ]);
  }
}
