import Joi from 'joi';

/** `Service:Hosting`: where the process listens and under which paths it tells its health. */
export interface HostingSettings {
  Host: string;
  Port: number;
  InternalPort: number;
  HealthCheckPath: string;
  LivenessPath: string;
  ReadinessPath: string;
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

/** Paths of the specification, used where a test builds an application without a configuration. */
export const defaultHealthPaths: Readonly<typeof defaults> = defaults;

/** What one of the three keys answers under: the overall health has the report and the page below it. */
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
 * Two probes on one path, also in another case, would hide each other. Checked at each key and not at the section, so
 * that it is told together with the faults of other keys; of two that are given, the later one is told.
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

/** The two listeners need two ports; 0 means "any free one". Of two that are given, the internal one is told. */
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

/** A module that the configuration names: a path from the working directory, or a package. */
export const modulePath = (): Joi.StringSchema => Joi.string().max(1000);

export const healthSettingsSchema: Joi.ObjectSchema<HealthSettings> = Joi.object<HealthSettings>({
  Checks: Joi.array()
    .items(modulePath())
    .max(20)
    .unique()
    .default([])
    .description('Modules that export a `healthCheck` of your own (docs/extending.md).'),
  Writer: modulePath().description(
    'Module that exports `healthResponseWriter`, which writes the overall health and both probes in the place of the default writer.',
  ),
}).default();

/** Ports have no default here: each service states its own with `hostingSettings(port, internalPort)`. */
export function hostingSettings(port: number, internalPort: number): Joi.ObjectSchema<HostingSettings> {
  return Joi.object<HostingSettings, true>({
    Host: Joi.string().hostname().default('0.0.0.0').description('Address both listeners bind to.'),
    Port: Joi.number()
      .port()
      .custom(differsFrom('InternalPort', internalPort))
      .default(port)
      .description('Port of the business API and the health endpoints.'),
    InternalPort: Joi.number()
      .port()
      .custom(differsFrom('Port', port))
      .default(internalPort)
      .description('Port of /metrics and of the calls between services; never to be exposed.'),
    HealthCheckPath: path(
      'HealthCheckPath',
      'Overall health; the report is below it at /detail, the page at /ui.',
    ),
    LivenessPath: path('LivenessPath', 'Liveness probe: is the process alive?'),
    ReadinessPath: path('ReadinessPath', 'Readiness probe: can it serve?'),
    MaxConnections: Joi.number()
      .integer()
      .min(10)
      .max(1_000_000)
      .default(16_000)
      .description(
        'Most open connections of each port; a further one takes the place of the one that is idle for the longest time. Less than the file descriptors of the process.',
      ),
    DrainSeconds: Joi.number()
      .min(0)
      .max(120)
      .default(1)
      .description(
        'After a stop is asked for, new connections are still accepted for this long, so that balancers see "not ready" first.',
      ),
    ShutdownSeconds: Joi.number()
      .min(1)
      .max(600)
      .default(20)
      .description('A stop takes at most this long in all; what is unfinished then is cut off.'),
  }).default();
}

export const loggingSettingsSchema: Joi.ObjectSchema<LoggingSettings> = Joi.object<LoggingSettings, true>({
  Level: Joi.string()
    .valid('debug', 'info', 'warn', 'error')
    .default('info')
    .description('Least severity that is written.'),
}).default();
