import { createDatabase } from '@canvass/postgres';
import { loadConfig, runService } from '@canvass/service-kit';
import { createApp } from './app';
import { configSchema } from './config';

const { Service: settings } = loadConfig(configSchema);

void runService({
  name: 'identity-svc',
  config: settings,
  build(context) {
    const db = createDatabase(settings.Database, {
      applicationName: context.name,
      onError: (error) => context.logger.warn({ error }, 'database connection error'),
    });
    return createApp({ settings, db }, context);
  },
});
