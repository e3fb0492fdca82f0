import type { HealthCheck, HealthResponse, HealthResponseWriter } from '@canvass/extensions';
import type { HealthSettings } from '../config/settings';
import { loadExtension } from '../extensions/load-extension';
import type { Logger } from '../logging/logger';
import type { HealthRegistry } from './registry';
import { writeWord } from './routes';

/** A failing writer logs at most one line a minute, because probes come every few seconds. */
const quietMs = 60_000;
const headerValue = /^[\x20-\x7e]{1,200}$/;

/**
 * Loads the modules of `Service:Health`. `addTo` adds them to a registry, after the checks of the service.
 *
 * @throws {Error} one sentence with the configuration key, if a module is missing or has the wrong export;
 * from `addTo` if the name of a check is already taken
 */
export async function loadHealthExtensions(
  settings: HealthSettings,
  logger: Logger,
): Promise<{ addTo(registry: HealthRegistry): void }> {
  const checks = await Promise.all(
    settings.Checks.map(async (module, index) => {
      const key = `Service:Health:Checks:${index}`;
      return { key, check: checkOf(key, module, await loadExtension(key, module, 'healthCheck')) };
    }),
  );
  const writer = settings.Writer === undefined ? undefined : await loadWriter(settings.Writer, logger);
  return {
    addTo(registry) {
      for (const { key, check } of checks) {
        try {
          registry.register(check);
        } catch (error) {
          throw new Error(`${key}: ${(error as Error).message}`, { cause: error });
        }
      }
      if (writer) registry.writer = writer;
    },
  };
}

function checkOf(key: string, module: string, exported: unknown): HealthCheck {
  const { name, tags, check, timeoutMs, failureStatus } = (exported ?? {}) as Partial<HealthCheck>;
  const valid =
    typeof name === 'string' &&
    name.trim() !== '' &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string') &&
    typeof check === 'function' &&
    (timeoutMs === undefined || timeoutMs > 0) &&
    (failureStatus === undefined || failureStatus === 'Degraded' || failureStatus === 'Unhealthy');
  if (valid) return exported as HealthCheck;
  throw new Error(
    `${key}: ${module} exports no healthCheck with a name, a list of tags, check(), and where they are given a timeoutMs above 0 and a failureStatus of Degraded or Unhealthy.`,
  );
}

async function loadWriter(module: string, logger: Logger): Promise<HealthResponseWriter> {
  const key = 'Service:Health:Writer';
  const writer = await loadExtension(key, module, 'healthResponseWriter');
  if (typeof writer !== 'function')
    throw new Error(`${key}: ${module} exports no healthResponseWriter function.`);
  return withDefault(writer as HealthResponseWriter, module, logger);
}

/** Wraps a writer: the default writer responds if it throws or returns another shape. */
function withDefault(writer: HealthResponseWriter, module: string, logger: Logger): HealthResponseWriter {
  let loggedAt = -Infinity;
  return (report, context) => {
    try {
      return responseOf(writer(report, context));
    } catch (error) {
      if (performance.now() - loggedAt >= quietMs) {
        loggedAt = performance.now();
        logger.error({ error, module }, 'the health response writer failed; using the default writer');
      }
      return writeWord(report, context);
    }
  };
}

function responseOf(written: unknown): HealthResponse {
  // A writer must be synchronous. An unhandled rejection of an async writer would end the process.
  if (written instanceof Promise) written.catch(() => undefined);
  const { contentType, body } = (written ?? {}) as Partial<HealthResponse>;
  if (typeof contentType === 'string' && headerValue.test(contentType) && typeof body === 'string')
    return { contentType, body };
  throw new TypeError('A health response writer must give a contentType and a body, both strings.');
}
