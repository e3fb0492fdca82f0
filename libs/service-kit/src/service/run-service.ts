import { createLogger } from '../logging/logger';
import type { RunningService, ServiceOptions } from './service';
import { startService } from './start-service';

/**
 * Runs a service as this process: opens it, stops it gracefully on SIGTERM and SIGINT, and ends the process
 * with 0 when everything was finished, else 1. A start that fails prints one sentence; an unhandled rejection
 * or exception is logged and ends the process with 1, because the state it has left behind is unknown.
 */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const logger = options.logger ?? createLogger(options.name, { level: options.config.Logging.Level });
  const die = (message: string) => (error: unknown) => {
    logger.error({ error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', die('unhandled rejection'));
  process.on('uncaughtException', die('uncaught exception'));

  let service: RunningService | undefined;
  let asked: string | undefined;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal is not an order to hurry: a terminal and a supervisor both send one. The deadline holds
    // anyway.
    if (asked !== undefined) return;
    asked = signal;
    if (service === undefined) process.exit(0);
    service.stop(signal).then((whole) => process.exit(whole ? 0 : 1), die('stop failed'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  try {
    service = await startService({ ...options, logger });
    await service.ready;
    return service;
  } catch (error) {
    if (asked !== undefined) return new Promise(() => undefined); // the stop ends the process
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${options.name} cannot start: ${reason}\n`);
    logger.error({ error }, 'start failed');
    await service?.stop('start failed').catch(() => false);
    process.exit(1);
  }
}
