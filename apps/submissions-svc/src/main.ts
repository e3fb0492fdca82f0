import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { backfillCommand } from './backfill';
import { configSchema, type SubmissionsConfig } from './config';

const { Service: config } = loadConfig(configSchema);
const [command, ...argv] = process.argv.slice(2);
if (command === 'backfill') void backfill(config, argv);
else void runService({ name: 'submissions-svc', config, build: (context) => createApp(config, context) });

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
