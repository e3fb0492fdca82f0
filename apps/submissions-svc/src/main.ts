import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { configSchema } from './config';

const { Service: config } = loadConfig(configSchema);
void runService({ name: 'submissions-svc', config, build: (context) => createApp(config, context) });
