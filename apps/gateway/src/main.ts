import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { configSchema } from './config';

const { Service } = loadConfig(configSchema);

void runService({ name: 'gateway', config: Service, build: (context) => createApp(Service, context) });
