import { loadConfig } from '../config';
import { createLogger } from '../logging/logger';
import type { ServiceConfig, ServiceDefinition } from './define-service';
import type { RunningService } from './service';
import { startService } from './start-service';

/**
 * Runs the process of a service: reads the configuration, then runs the command in the first argument, or
 * serves. `--help` as the first argument and an unknown command need no configuration; the latter exits with
 * status 2.
 */
export async function runService<C extends ServiceConfig, O>(
  service: ServiceDefinition<C, O>,
): Promise<void> {
  const [command, ...argv] = process.argv.slice(2);
  if (command === '--help' || command === '-h') {
    process.stdout.write(usageOf(service));
    return;
  }
  const run = command === undefined || command.startsWith('-') ? null : service.commands?.[command];
  if (run === undefined) {
    const known = Object.keys(service.commands ?? {}).join(', ') || 'none';
    process.stderr.write(`${service.name}: unknown command "${command}"; commands: ${known}.\n`);
    process.exitCode = 2;
    return;
  }
  const { Service: config } = loadConfig(service.configSchema);
  if (run === null) return serve(service, config);
  process.exitCode = await run(argv, config);
}

const usageOf = ({ name, commands = {} }: { name: string; commands?: object }): string =>
  `node main.js [options]              runs ${name} until SIGTERM
node main.js <command> [options]    ${Object.keys(commands).join(', ') || 'no commands'}

  --config <file>   JSON of the configuration; variables Service__* win (docs/configuration.md)
  --print-config    prints the effective configuration without secrets
`;

/**
 * Serves until SIGTERM or SIGINT, then stops gracefully and exits with 0 if all requests were completed, else
 * 1. A failed start prints one sentence. An unhandled rejection or exception is logged and exits with 1,
 * because the state of the process is unknown.
 */
async function serve<C extends ServiceConfig, O>(
  definition: ServiceDefinition<C, O>,
  config: C,
): Promise<void> {
  const { name } = definition;
  const logger = createLogger(name, { level: config.Logging.Level });
  const die = (message: string) => (error: unknown) => {
    logger.error({ error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', die('unhandled rejection'));
  process.on('uncaughtException', die('uncaught exception'));

  let service: RunningService | undefined;
  let asked: string | undefined;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal is ignored: a terminal and a supervisor may both send one. The shutdown has a deadline
    // anyway.
    if (asked !== undefined) return;
    asked = signal;
    if (service === undefined) process.exit(0);
    service.stop(signal).then((whole) => process.exit(whole ? 0 : 1), die('stop failed'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  try {
    service = await startService({ service: definition, config, logger });
    await service.ready;
  } catch (error) {
    if (asked !== undefined) return; // the stop ends the process
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${name} cannot start: ${reason}\n`);
    logger.error({ error }, 'start failed');
    await service?.stop('start failed').catch(() => false);
    process.exit(1);
  }
}
