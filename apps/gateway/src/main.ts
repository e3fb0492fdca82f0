import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { gatewayConfigSchema } from './config';

const { Service } = loadConfig(gatewayConfigSchema);

void runService({
  name: 'gateway',
  config: Service,
  build: (context) => createApp(Service.Gateway, context),
});
