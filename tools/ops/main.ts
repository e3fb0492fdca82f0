import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, localDir } from '../infra';
import { loadSecrets } from '../start/secrets';
import { urlsOf, readStackFile, type StackFile } from '../start/stack-file';
import { serviceEnvironment, serviceNames, type ServiceName } from '../start/services';

/**
 * `npm run ops -- <operation> [options]`: does it with the command line of the service that knows how, on
 * the stack that `npm start` runs here, else with the configuration in the environment. In the image: `node
 * dist/apps/<service>/main.js ops …`. Another stack than that of `npm start` is the one whose folder
 * CANVASS_STACK_DIR names.
 */
const operators: Record<string, readonly ServiceName[]> = {
  outbox: ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'],
  poison: ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'],
  endpoints: ['webhook-relay-svc'],
  replay: ['webhook-relay-svc'],
  'dead-letters': ['webhook-relay-svc'],
  audit: ['identity-svc', 'submissions-svc', 'datalists-svc', 'webhook-relay-svc'],
  resync: ['submissions-svc'],
  keys: ['identity-svc'],
  quotas: ['identity-svc', 'submissions-svc', 'datalists-svc'],
  tenants: ['identity-svc'],
  'tenants export': ['identity-svc', 'submissions-svc', 'datalists-svc'],
  'tenants import': ['identity-svc', 'submissions-svc', 'datalists-svc'],
  users: ['identity-svc'],
  /** An app of its own, with the configuration of that service (docs/backfill.md). */
  backfill: ['submissions-svc'],
};

/** Exit statuses, those of the services' own command lines. */
const [notThere, calledWrongly, failed] = [1, 2, 3];

function main(argv: readonly string[]): number {
  const { service, args } = withoutService(argv);
  const isHelp = args[0] === undefined || args[0].startsWith('-');
  const able = isHelp
    ? (['webhook-relay-svc'] as const)
    : (operators[args.slice(0, 2).join(' ')] ?? operators[args[0]!]);
  if (able === undefined) {
    console.error(
      `There is no operation "${args[0]}", only: ${Object.keys(operators)
        .filter((name) => !name.includes(' '))
        .join(', ')}.`,
    );
    return calledWrongly;
  }
  if (service !== undefined && !able.some((name) => name === service)) {
    console.error(`--service must be one of ${able.join(', ')} for ${args[0]}, not "${service}".`);
    return calledWrongly;
  }
  const dir = process.env['CANVASS_STACK_DIR'] ?? localDir;
  const stack = readStackFile(dir);
  // An event is in the outbox of one service only: that the others lack it is printed if all lack it.
  const missed = new Set<string>();
  const statuses: number[] = [];
  for (const name of able.filter((each) => service === undefined || each === service)) {
    const { status, said } = run(name, args, stack === null ? {} : environmentOf(name, stack, dir));
    statuses.push(status);
    if (status === notThere) missed.add(said);
    else process.stderr.write(said);
    if (status === calledWrongly) return status;
  }
  const others = statuses.filter((status) => status !== notThere);
  if (others.length > 0) return Math.max(...others);
  for (const said of missed) process.stderr.write(said);
  return notThere;
}

function withoutService(argv: readonly string[]) {
  const at = argv.indexOf('--service');
  if (at < 0) return { service: undefined, args: argv };
  return { service: argv[at + 1] ?? '', args: [...argv.slice(0, at), ...argv.slice(at + 2)] };
}

/** What it prints goes straight on; what it says to people is given back. */
function run(service: ServiceName, args: readonly string[], env: Record<string, string>) {
  const isBackfill = args[0] === 'backfill';
  const [app, argv] = isBackfill ? ['backfill', args.slice(1)] : [service, ['ops', ...args]];
  const program = path.join(checkoutDir, 'dist/apps', app, 'main.js');
  if (!existsSync(program)) return { status: failed, said: `${app} is not built: npm run build\n` };
  const { status, stderr } = spawnSync(process.execPath, [program, ...argv], {
    stdio: ['inherit', 'inherit', isBackfill ? 'inherit' : 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status: status ?? failed, said: stderr ?? '' };
}

/** The configuration of the service in the running stack. */
const environmentOf = (service: ServiceName, stack: StackFile, dir: string): Record<string, string> =>
  serviceEnvironment(
    service,
    { port: 0, internalPort: 0 },
    { ...stack, urls: urlsOf(stack) },
    loadSecrets(dir, serviceNames),
  );

process.exitCode = main(process.argv.slice(2));
