import Joi from 'joi';

/** `Service:Hosting`: the addresses, the health paths and the limits of the two listeners. */
export interface HostingSettings {
  Host: string;
  Port: number;
  InternalPort: number;
  HealthCheckPath: string;
  LivenessPath: string;
  ReadinessPath: string;
  PublicHealthDetails: boolean;
  MaxConnections: number;
  DrainSeconds: number;
  ShutdownSeconds: number;
}

/** `Service:Logging`. */
export interface LoggingSettings {
  Level: 'debug' | 'info' | 'warn' | 'error';
}

const defaults = { HealthCheckPath: '/health', LivenessPath: '/alive', ReadinessPath: '/ready' };
type PathKey = keyof typeof defaults;
const pathKeys = Object.keys(defaults) as PathKey[];

/** The default paths, for tests that build an application without a configuration. */
export const defaultHealthPaths: Readonly<typeof defaults> = defaults;

/** The paths that one of the three keys serves: the overall health also serves the report and the page. */
const pathsBelow = (key: PathKey, value: string): string[] =>
  (key === 'HealthCheckPath' ? [value, `${value}/detail`, `${value}/ui`] : [value]).map((path) =>
    path.toLowerCase(),
  );

const path = (key: PathKey, purpose: string) =>
  Joi.string()
    .max(200)
    .pattern(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/)
    .custom(differsFromOthers(key))
    .messages({
      'string.pattern.base':
        'must be a path such as "/health": a leading "/", parts of letters, digits and . _ ~ -',
    })
    .default(defaults[key])
    .description(purpose);

/**
 * Rejects a path that another probe has (case-insensitive). Each key checks itself, so that joi reports the
 * fault together with the faults of other keys. If both keys are given, the fault is reported for the later
 * one.
 */
function differsFromOthers(key: PathKey) {
  return (value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport => {
    const siblings = (helpers.state.ancestors as Partial<HostingSettings>[])[0] ?? {};
    const mine = pathsBelow(key, value);
    for (const other of pathKeys) {
      const given = typeof siblings[other] === 'string';
      if (other === key || (given && pathKeys.indexOf(other) > pathKeys.indexOf(key))) continue;
      const theirs = pathsBelow(other, siblings[other] ?? defaults[other]);
      const same = mine.find((candidate) => theirs.includes(candidate));
      if (same !== undefined) {
        return helpers.message({ custom: `answers under "${same}", and so does Service:Hosting:${other}` });
      }
    }
    return value;
  };
}

/**
 * Rejects the port of the other listener; 0 means any free port. If both keys are given, the fault is
 * reported for `InternalPort`.
 */
function differsFrom(other: 'Port' | 'InternalPort', otherDefault: number) {
  return (value: number, helpers: Joi.CustomHelpers): number | Joi.ErrorReport => {
    const given = (helpers.state.ancestors as Partial<Record<string, unknown>>[])[0]?.[other];
    if (other === 'InternalPort' && given !== undefined) return value;
    const taken = value !== 0 && value === Number(given ?? otherDefault);
    return taken ? helpers.message({ custom: `is the same port as Service:Hosting:${other}` }) : value;
  };
}

/** `Service:Health`: extensions of the health endpoints. */
export interface HealthSettings {
  /** Modules that export `healthCheck`. */
  Checks: string[];
  /** Module that exports `healthResponseWriter`. */
  Writer?: string;
}

/** Schema of a module name: a path relative to the working directory, or a package. */
export const modulePath = (): Joi.StringSchema => Joi.string().max(1000);

export const healthSettingsSchema: Joi.ObjectSchema<HealthSettings> = Joi.object<HealthSettings>({
  Checks: Joi.array()
    .items(modulePath())
    .max(20)
    .unique()
    .default([])
    .description('Modules that export a `healthCheck` of your own (docs/extending.md).'),
  Writer: modulePath().description(
    'Module that exports `healthResponseWriter`, which replaces the default one.',
  ),
}).default();

/** Schema of `Service:Hosting`, with the default ports of a service. */
export function hostingSettings(port: number, internalPort: number): Joi.ObjectSchema<HostingSettings> {
  return Joi.object<HostingSettings, true>({
    Host: Joi.string().hostname().default('0.0.0.0').description('Bind address of both listeners.'),
    Port: Joi.number()
      .port()
      .custom(differsFrom('InternalPort', internalPort))
      .default(port)
      .description('Port of the business API and the health endpoints.'),
    InternalPort: Joi.number()
      .port()
      .custom(differsFrom('Port', port))
      .default(internalPort)
      .description('Port of /metrics and of the calls between services. Do not expose it.'),
    HealthCheckPath: path(
      'HealthCheckPath',
      'Path of the overall health. The report is at `/detail` below it, the page at `/ui`.',
    ),
    LivenessPath: path('LivenessPath', 'Path of the liveness probe: does the process work?'),
    ReadinessPath: path('ReadinessPath', 'Path of the readiness probe: can the process serve requests?'),
    PublicHealthDetails: Joi.boolean()
      .default(true)
      .description('Whether the report and the page of the overall health are on the public port, too.'),
    MaxConnections: Joi.number()
      .integer()
      .min(10)
      .max(1_000_000)
      .default(16_000)
      .description(
        'Maximum number of open connections per port. Must be below the limit of file descriptors of the process.',
      ),
    DrainSeconds: Joi.number()
      .min(0)
      .max(120)
      .default(1)
      .description('Seconds after a stop signal in which new connections are still accepted.'),
    ShutdownSeconds: Joi.number().min(1).max(600).default(20).description('Maximum duration of a shutdown.'),
  }).default();
}

export const loggingSettingsSchema: Joi.ObjectSchema<LoggingSettings> = Joi.object<LoggingSettings, true>({
  Level: Joi.string()
    .valid('debug', 'info', 'warn', 'error')
    .default('info')
    .description('Minimum log level.'),
}).default();
