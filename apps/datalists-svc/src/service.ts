import { migrateCommand } from '@canvass/postgres';
import { defineService } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { createApp } from './app';
import { configSchema, type Config } from './config';
import { operate } from './operate';

/** datalists-svc: choice lists, their import, export and search. */
export const service = defineService<Config['Service']>({
  name: 'datalists-svc',
  configSchema,
  migrations,
  commands: {
    migrate: migrateCommand(migrations),
    ops: (argv, settings) => operate(argv, settings, { output: process.stdout, screen: process.stderr }),
  },
  create: createApp,
});
