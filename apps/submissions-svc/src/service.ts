import { defineService } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { createApp, type Outside } from './app';
import { backfillCommand } from './backfill';
import { configSchema, type SubmissionsConfig } from './config';
import { operate } from './operate';

/** submissions-svc: forms, submissions, submitters, webhook settings. */
export const service = defineService<SubmissionsConfig, Outside>({
  name: 'submissions-svc',
  configSchema,
  migrations,
  commands: {
    ops: (argv, { Database }) => operate(argv, Database, { output: process.stdout, screen: process.stderr }),
    /** The legacy migration (docs/backfill.md). */
    backfill(argv, { Database, Auth }) {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      return backfillCommand(argv, {
        databaseUrl: Database.Url,
        externalProviders: Auth.Providers.map(({ Name }) => Name),
        output: process.stdout,
        screen: process.stderr,
        signal: stop.signal,
      });
    },
  },
  create: createApp,
});
