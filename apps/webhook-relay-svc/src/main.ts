import { loadConfig, runService } from '@canvass/service-kit';
import { createApp, serviceName } from './app';
import { relayConfigSchema } from './config';

const { Service } = loadConfig(relayConfigSchema);

void runService({
  name: serviceName,
  config: Service,
  build: (context) => createApp(Service, context),
});
