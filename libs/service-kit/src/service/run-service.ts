import { setFlagsFromString } from 'node:v8';
import { loadConfig } from '../config';
import { createLogger } from '../logging/logger';
import type { ServiceConfig, ServiceDefinition } from './define-service';
import type { RunningService } from './service';
import { startService } from './start-service';

/**
 * The heap may grow to 1.7 times what lives in it before V8 collects all of it, which takes all cores for 20
 * to 40 ms. By default V8 allows 1.1 times with few new objects, so that it collected every ten seconds, and
 * four times with many: an import of a million items had 290 MB in all. At the same speed it has 190 MB with
 * 1.4 times and 210 MB with 1.7 times.
 */
const heapGrowth = '--heap-growing-percent=70';

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
  setFlagsFromString(heapGrowth);
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
