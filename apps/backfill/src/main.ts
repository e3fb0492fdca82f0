import { loadConfig } from '@canvass/service-kit';
import { backfillCommand } from './command';
import { configSchema } from './config';

/** The migration of legacy submissions (docs/backfill.md): `node dist/apps/backfill/main.js [options]`. */
async function main(): Promise<void> {
  const { Database, Auth } = loadConfig(configSchema).Service;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  process.exitCode = await backfillCommand(process.argv.slice(2), {
    databaseUrl: Database.DirectUrl ?? Database.Url,
    externalProviders: Auth.Providers.map(({ Name }) => Name),
    output: process.stdout,
    screen: process.stderr,
    signal: stop.signal,
  });
}

void main();
