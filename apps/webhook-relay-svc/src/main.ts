import { loadConfig, runService } from '@canvass/service-kit';
import { createApp, serviceName } from './app';
import { relayConfigSchema } from './config';
import { operate } from './operations';

const { Service } = loadConfig(relayConfigSchema);
const [command, ...argv] = process.argv.slice(2);
if (command === 'ops') void ops(argv);
else void runService({ name: serviceName, config: Service, build: (context) => createApp(Service, context) });

/** What operators do, with the configuration of the service. */
async function ops(args: string[]): Promise<void> {
  process.exitCode = await operate(args, Service, { output: process.stdout, screen: process.stderr });
}
