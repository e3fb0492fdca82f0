import { runService } from '@canvass/service-kit';
import { createApp } from './app';
import { readConfig } from './config';
import { operate } from './operate';

const { Service } = readConfig();
const [command, ...argv] = process.argv.slice(2);
if (command === 'ops') void ops(argv);
else
  void runService({
    name: 'datalists-svc',
    config: Service,
    build: (context) => createApp(Service, context),
  });

/** The operator commands, with the configuration of the service. */
async function ops(args: string[]): Promise<void> {
  process.exitCode = await operate(args, Service.Database, {
    output: process.stdout,
    screen: process.stderr,
  });
}
