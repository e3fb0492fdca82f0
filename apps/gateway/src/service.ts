import { defineService } from '@canvass/service-kit';
import { createApp, type Outside } from './app';
import { configSchema, type GatewayConfig } from './config';

/** The gateway: the only public port. */
export const service = defineService<GatewayConfig['Service'], Outside>({
  name: 'gateway',
  configSchema,
  migrations: [],
  create: createApp,
});
