import { authSettingsSchema, type AuthSettings } from '@canvass/auth';
import {
  healthSettingsSchema,
  hostingSettings,
  loggingSettingsSchema,
  tracingSettingsSchema,
  type HealthSettings,
  type HostingSettings,
  type LoggingSettings,
} from '@canvass/service-kit';
import Joi from 'joi';

/** Services the gateway can route to, by the name they have in the configuration. */
export const serviceNames = ['Submissions', 'DataLists', 'Identity', 'WebHookRelay'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `Service:Gateway:RateLimits`: most requests in a window; 0 is no limit. */
export interface RateLimitSettings {
  WindowSeconds: number;
  PerAddress: number;
  PerAccount: number;
  PerFormToken: number;
  /** Where all gateways count together; without a URL each process counts alone. */
  Redis: { Url?: string; TimeoutMs: number };
  MostKeys: number;
}

/** Where a service tells its state. */
export interface ProbePaths {
  ReadinessPath: string;
  HealthCheckPath: string;
}

/** `Service:Gateway`. */
export interface GatewaySettings extends ProbePaths {
  /** Base URLs of each service's copies; `Identity` may be absent where an external identity provider serves all. */
  Services: Partial<Record<ServiceName, string[]>>;
  Cors: { Origins: string[] };
  RateLimits: RateLimitSettings;
  TrustedHops: number;
  MaxConnectionsPerService: number;
  ConnectTimeoutMs: number;
  Breaker: { Failures: number; OpenMs: number };
  /** For a service whose paths differ from `ReadinessPath` and `HealthCheckPath`. */
  Probes: Partial<Record<ServiceName, Partial<ProbePaths>>>;
  HealthTimeoutMs: number;
  ReadinessIntervalMs: number;
  ClientIdleMs: number;
}

export interface GatewayConfig {
  Service: {
    Hosting: HostingSettings;
    Health: HealthSettings;
    Logging: LoggingSettings;
    Gateway: GatewaySettings;
    Auth: AuthSettings;
  };
}

/** An origin and nothing else: the path of a request reaches the service as the client wrote it. */
const baseUrl = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .pattern(/^https?:\/\/[^/?#@]+\/?$/)
  .messages({ 'string.pattern.base': 'must be a base URL without path, query or user info' });

/** One URL (of a load balancer, or of the only copy) or several, one for each copy. */
const copiesOf = (service: string) =>
  Joi.array()
    .items(baseUrl)
    .single()
    .min(1)
    .max(32)
    .unique((a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, ''))
    .description(`Base URL of ${service}, or a list of those of its copies.`);

const origin = Joi.string()
  .pattern(/^(\*|https?:\/\/[^/?#@\s]+)$/)
  .messages({ 'string.pattern.base': 'must be an origin such as "https://forms.example.org", or "*"' });

const path = Joi.string().pattern(/^\/[A-Za-z0-9._~/-]+$/);

const probesOf = (service: string) =>
  Joi.object<Partial<ProbePaths>>({
    ReadinessPath: path.description(`The Service:Hosting:ReadinessPath of ${service}, where it differs.`),
    HealthCheckPath: path.description(`The Service:Hosting:HealthCheckPath of ${service}, where it differs.`),
  });

const milliseconds = (fallback: number, purpose: string) =>
  Joi.number().integer().min(50).max(3_600_000).default(fallback).description(purpose);

const requests = (fallback: number, whose: string) =>
  Joi.number()
    .integer()
    .min(0)
    .max(10_000_000)
    .default(fallback)
    .description(`Most requests ${whose} in a window; 0: no limit.`);

const rateLimitsSchema = Joi.object<RateLimitSettings>({
  WindowSeconds: Joi.number().integer().min(1).max(3600).default(60).description('Length of a window.'),
  PerAddress: requests(60_000, 'from one address (IPv6: one network of 64 bits)'),
  PerAccount: requests(30_000, 'of one account, or, without Service:Auth, with one token'),
  PerFormToken: requests(12_000, 'with one form-access token'),
  Redis: Joi.object({
    Url: Joi.string()
      .uri({ scheme: ['redis', 'rediss'] })
      .meta({ secret: true })
      .description('Redis or Valkey, where all gateways count together; absent: each process counts alone.'),
    TimeoutMs: milliseconds(300, 'Without an answer within this a process counts the request alone.'),
  }).default(),
  MostKeys: Joi.number()
    .integer()
    .min(100)
    .max(1_000_000)
    .default(20_000)
    .description(
      'Clients that a process remembers for each limit, about 0.5 KB each; the one longest silent is forgotten.',
    ),
}).default();

export const gatewaySettingsSchema = Joi.object<GatewaySettings>({
  Services: Joi.object({
    Submissions: copiesOf('submissions-svc').required(),
    DataLists: copiesOf('datalists-svc').required(),
    Identity: copiesOf('identity-svc, left out where an external identity provider serves all'),
    WebHookRelay: copiesOf('webhook-relay-svc').required(),
  }).required(),
  Cors: Joi.object({
    Origins: Joi.array()
      .items(origin)
      .max(100)
      .default([])
      .description('Origins of web pages that may call the API from a browser; none by default.'),
  }).default(),
  RateLimits: rateLimitsSchema,
  TrustedHops: Joi.number()
    .integer()
    .min(0)
    .max(10)
    .default(0)
    .description('Reverse proxies in front whose X-Forwarded-For entries are believed.'),
  MaxConnectionsPerService: Joi.number()
    .integer()
    .min(1)
    .max(10_000)
    .default(256)
    .description(
      'Requests one copy of a service is sent at the same time; more wait their turn. Half of them may be uploads (bodies over 64 KiB or of unknown length), and, while others wait, half answers that their clients do not take.',
    ),
  ConnectTimeoutMs: milliseconds(2_000, 'A service that does not accept within this is unavailable.'),
  Breaker: Joi.object({
    Failures: Joi.number()
      .integer()
      .min(1)
      .max(10_000)
      .default(20)
      .description('Requests in a row without an answer after which a service is spared for a moment.'),
    OpenMs: milliseconds(
      1_000,
      'How long it is spared: requests for it get a 503 at once, one in each such time is let through.',
    ),
  }).default(),
  ReadinessPath: path
    .default('/ready')
    .description('Where the services tell their readiness (their Service:Hosting:ReadinessPath).'),
  HealthCheckPath: path
    .default('/health')
    .description('Where the services tell their overall health (their Service:Hosting:HealthCheckPath).'),
  Probes: Joi.object({
    Submissions: probesOf('submissions-svc'),
    DataLists: probesOf('datalists-svc'),
    Identity: probesOf('identity-svc'),
    WebHookRelay: probesOf('webhook-relay-svc'),
  }).default(),
  HealthTimeoutMs: milliseconds(
    700,
    'A service that does not tell its health within this is reported as down; checks end after 800 ms.',
  ),
  ReadinessIntervalMs: milliseconds(
    500,
    'How often each copy of a service that has several is asked whether it is ready; less than its Service:Hosting:DrainSeconds.',
  ),
  ClientIdleMs: milliseconds(
    60_000,
    'A client that neither sends nor takes a byte for this long is cut off; a body of up to 64 KiB must be there as a whole within it.',
  ),
}).required();

/** The paths at which the gateway asks a service for its state. */
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
    // For the limits by account alone: whether a caller may do a thing is decided by the services.
    Auth: authSettingsSchema.default(),
  }).required(),
});
