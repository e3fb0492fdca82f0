import Joi from 'joi';

/** `Service:Hosting`: where the process listens and under which paths it tells its health. */
export interface HostingSettings {
  Host: string;
  Port: number;
  InternalPort: number;
  HealthCheckPath: string;
  LivenessPath: string;
  ReadinessPath: string;
  DrainSeconds: number;
  ShutdownSeconds: number;
}

/** `Service:Logging`. */
export interface LoggingSettings {
  Level: 'debug' | 'info' | 'warn' | 'error';
}

const path = (purpose: string) =>
  Joi.string()
    .max(200)
    .pattern(/^\/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-]$/)
    .messages({
      'string.pattern.base':
        'must be a path: a leading "/", then letters, digits and . _ ~ - / without a "/" at the end',
    })
    .description(purpose);

/** The paths a process answers its health under; the detail report and the page lie below the health path. */
export const healthPathsOf = (
  hosting: Pick<HostingSettings, 'HealthCheckPath' | 'LivenessPath' | 'ReadinessPath'>,
): string[] => [
  hosting.HealthCheckPath,
  `${hosting.HealthCheckPath}/detail`,
  `${hosting.HealthCheckPath}/ui`,
  hosting.LivenessPath,
  hosting.ReadinessPath,
];

/** Two probes on one path, also in another case, would hide each other. */
function pathsDiffer(
  hosting: HostingSettings,
  helpers: Joi.CustomHelpers,
): HostingSettings | Joi.ErrorReport {
  const paths = healthPathsOf(hosting).map((value) => value.toLowerCase());
  const twice = paths.find((value, index) => paths.indexOf(value) !== index);
  if (twice !== undefined)
    return helpers.message({ custom: `has two health endpoints on the path "${twice}"` });
  if (hosting.Port !== 0 && hosting.Port === hosting.InternalPort) {
    return helpers.message({ custom: 'has the same number for Port and InternalPort' });
  }
  return hosting;
}

const defaults = { HealthCheckPath: '/health', LivenessPath: '/alive', ReadinessPath: '/ready' };

/** Paths of the specification, used where a test builds an application without a configuration. */
export const defaultHealthPaths: Readonly<typeof defaults> = defaults;

/** Ports have no default here: each service states its own with `hostingSettings(port, internalPort)`. */
export function hostingSettings(port: number, internalPort: number): Joi.ObjectSchema<HostingSettings> {
  return Joi.object<HostingSettings, true>({
    Host: Joi.string().hostname().default('0.0.0.0').description('Address both listeners bind to.'),
    Port: Joi.number().port().default(port).description('Port of the business API and the health endpoints.'),
    InternalPort: Joi.number()
      .port()
      .default(internalPort)
      .description('Port of /metrics and of the calls between services; never to be exposed.'),
    HealthCheckPath: path('Overall health; the report is below it at /detail, the page at /ui.').default(
      defaults.HealthCheckPath,
    ),
    LivenessPath: path('Liveness probe: is the process alive?').default(defaults.LivenessPath),
    ReadinessPath: path('Readiness probe: can it serve?').default(defaults.ReadinessPath),
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
  })
    .custom(pathsDiffer)
    .default();
}

/** `Service:Hosting` with the ports 8080 and 9080. */
export const hostingSettingsSchema = hostingSettings(8080, 9080);

export const loggingSettingsSchema: Joi.ObjectSchema<LoggingSettings> = Joi.object<LoggingSettings, true>({
  Level: Joi.string()
    .valid('debug', 'info', 'warn', 'error')
    .default('info')
    .description('Least severity that is written.'),
}).default();
