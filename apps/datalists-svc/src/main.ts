import { runService } from '@canvass/service-kit';
import { createApp } from './app';
import { readConfig } from './config';

const { Service } = readConfig();

void runService({
  name: 'datalists-svc',
  config: Service,
  build: (context) => createApp(Service, context),
});
