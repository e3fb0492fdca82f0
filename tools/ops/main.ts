import { serviceRoles } from '@canvass/postgres';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, localDir } from '../infra';
import { loadSecrets } from '../start/secrets';
import { readStackFile, type StackFile } from '../start/stack-file';
import { serviceEnvironment, serviceNames, type ServiceName, type StackAddresses } from '../start/services';

/**
 * `npm run ops -- <operation> [options]`: does it with the command line of the service that knows how, on the stack that
 * `npm start` runs here, else with the configuration in the environment. In the image: `node dist/apps/<service>/main.js ops …`.
 */
const operators: Record<string, readonly ServiceName[]> = {
  outbox: ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'],
  poison: ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'],
  endpoints: ['webhook-relay-svc'],
  replay: ['webhook-relay-svc'],
  'dead-letters': ['webhook-relay-svc'],
};

function main(argv: readonly string[]): number {
  const { service, args } = withoutService(argv);
  const isHelp = args[0] === undefined || args[0].startsWith('-');
  const able = isHelp ? (['webhook-relay-svc'] as const) : operators[args[0]!];
  if (able === undefined) {
    console.error(`There is no operation "${args[0]}", only: ${Object.keys(operators).join(', ')}.`);
    return 2;
  }
  if (service !== undefined && !able.some((name) => name === service)) {
    console.error(`--service must be one of ${able.join(', ')} for ${args[0]}, not "${service}".`);
    return 2;
  }
  const stack = readStackFile(localDir);
  const statuses = able
    .filter((name) => service === undefined || name === service)
    .map((name) => run(name, args, stack === null ? {} : environmentOf(name, stack)));
  // What was named is in the outbox of one service only.
  const missed = statuses.filter((status) => status === 1).length;
  return missed < statuses.length ? Math.max(...statuses.filter((status) => status !== 1)) : 1;
}

function withoutService(argv: readonly string[]) {
  const at = argv.indexOf('--service');
  if (at < 0) return { service: undefined, args: argv };
  return { service: argv[at + 1] ?? '', args: [...argv.slice(0, at), ...argv.slice(at + 2)] };
}

function run(service: ServiceName, args: readonly string[], env: Record<string, string>): number {
  const program = path.join(checkoutDir, 'dist/apps', service, 'main.js');
  if (!existsSync(program)) {
    console.error(`${service} is not built: npm run build`);
    return 3;
  }
  const { status } = spawnSync(process.execPath, [program, 'ops', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 3;
}

/** The configuration of the service in the running stack. */
function environmentOf(service: ServiceName, stack: StackFile): Record<string, string> {
  const secrets = loadSecrets(localDir, serviceNames);
  const urls = Object.fromEntries(
    serviceNames.map((name) => {
      const { url, metricsUrl } = stack.services[name];
      const copies = [url, ...(stack.replicas[name] ?? []).map((copy) => copy.url)];
      return [name, { url, internalUrl: new URL(metricsUrl).origin, copies }];
    }),
  ) as StackAddresses['urls'];
  const databaseUrl = (name: ServiceName) => {
    const url = new URL(stack.databaseUrl);
    url.username = serviceRoles.find((role) => role.service === name)!.role;
    url.password = secrets.rolePasswords[name]!;
    return url.href;
  };
  const none = { port: 0, internalPort: 0 };
  return serviceEnvironment(service, none, { urls, databaseUrl, amqpUrl: stack.amqpUrl }, secrets);
}

process.exitCode = main(process.argv.slice(2));
