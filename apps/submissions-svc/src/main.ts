import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { backfillCommand } from './backfill';
import { configSchema, type SubmissionsConfig } from './config';
import { operate } from './operate';

const { Service: config } = loadConfig(configSchema);
const [command, ...argv] = process.argv.slice(2);
if (command === 'backfill') void backfill(config, argv);
else if (command === 'ops') void ops(config, argv);
else void runService({ name: 'submissions-svc', config, build: (context) => createApp(config, context) });

/** The operator commands, with the configuration of the service. */
async function ops({ Database }: SubmissionsConfig, argv: string[]): Promise<void> {
  process.exitCode = await operate(argv, Database, { output: process.stdout, screen: process.stderr });
}

/** The legacy migration, with the configuration of the service. */
async function backfill({ Database, Auth }: SubmissionsConfig, argv: string[]): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.exitCode = await backfillCommand(argv, {
    databaseUrl: Database.Url,
    externalProviders: Auth.Providers.map(({ Name }) => Name),
    output: process.stdout,
    screen: process.stderr,
    signal: stop.signal,
  });
}
