import { migrateCommand } from '@canvass/postgres';
import { defineService } from '@canvass/service-kit';
import { migrations } from '../migrations';
import { createApp, serviceName, type Outside } from './app';
import { configSchema, type RelaySettings } from './config';
import { operate } from './operations';

/** webhook-relay-svc: fan-out, signed delivery, retries, delivery log. */
export const service = defineService<RelaySettings, Outside>({
  name: serviceName,
  configSchema,
  migrations,
  commands: {
    migrate: migrateCommand(migrations),
    ops: (argv, config) => operate(argv, config, { output: process.stdout, screen: process.stderr }),
  },
  create: createApp,
});
