import { migrateCommand } from '@canvass/postgres';
import { defineService } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { createApp, type Outside } from './app';
import { configSchema, type IdentitySettings } from './config';
import { operate } from './operate';

/** identity-svc: users, service accounts, tokens, signing keys. */
export const service = defineService<IdentitySettings, Outside>({
  name: 'identity-svc',
  configSchema,
  migrations,
  commands: {
    migrate: migrateCommand(migrations),
    ops: (argv, settings) => operate(argv, settings, { output: process.stdout, screen: process.stderr }),
  },
  create: createApp,
});
