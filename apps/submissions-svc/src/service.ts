import { migrateCommand, partitionCommand } from '@canvass/postgres';
import { defineService } from '@canvass/service-kit';
import { migrations, tablesByTenant } from '../migrations';
import { createApp, type Outside } from './app';
import { configSchema, type SubmissionsConfig } from './config';
import { operate } from './operate';

/** submissions-svc: forms, submissions, submitters, webhook settings. */
export const service = defineService<SubmissionsConfig, Outside>({
  name: 'submissions-svc',
  configSchema,
  migrations,
  commands: {
    migrate: migrateCommand(migrations),
    partition: partitionCommand(tablesByTenant),
    ops: (argv, settings) => operate(argv, settings, { output: process.stdout, screen: process.stderr }),
  },
  create: createApp,
});
