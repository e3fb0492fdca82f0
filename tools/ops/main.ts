import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, localDir, runCommand } from '../infra';
import { givenSettings } from '../start/given-settings';
import { loadSecrets } from '../start/secrets';
import { urlsOf, readStackFile, type StackFile } from '../start/stack-file';
import {
  serviceEnvironment,
  serviceNames,
  type ServiceEnvironments,
  type ServiceName,
} from '../start/services';

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
  deliveries: ['webhook-relay-svc'],
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

/** Every service must do its part of these. Of the others, most services have nothing to do. */
const ofAllServices = ['tenants export', 'tenants import'];

/** Exit statuses, those of the services' own command lines. */
const [done, notThere, calledWrongly, failed] = [0, 1, 2, 3];

const dir = process.env['CANVASS_STACK_DIR'] ?? localDir;
const stack = readStackFile(dir);

async function main(argv: readonly string[]): Promise<number> {
  const { service, args } = withoutService(argv);
  const isHelp = args[0] === undefined || args[0].startsWith('-') || args.includes('--help');
  const able = ableServices(args, isHelp);
  if (able.length === 0) {
    console.error(`There is no operation "${args[0]}", only: ${firstWords().join(', ')}.`);
    return calledWrongly;
  }
  if (service !== undefined && !able.some((name) => name === service)) {
    const operation = args[0]?.startsWith('-') === false ? args[0] : 'the help';
    console.error(`--service must be one of ${able.join(', ')} for ${operation}, not "${service}".`);
    return calledWrongly;
  }
  if (stack === null && !isConfigured(args)) {
    console.error(
      'Canvass does not run here: start it with npm start. For another stack, set the variables Service__* of its services.',
    );
    return failed;
  }
  const chosen = able.filter((name) => service === undefined || name === service);
  const given = stack === null ? {} : await givenSettings(process.env);
  const runs = (name: ServiceName, output: 'inherit' | 'pipe') =>
    run(name, args, stack === null ? process.env : environmentOf(name, stack, given), output);
  if (isHelp) return help(chosen.map((name) => runs(name, 'pipe')));
  return ofAllServices.includes(args.slice(0, 2).join(' ')) ? inEach(chosen, runs) : inSome(chosen, runs);
}

/** Returns whether the caller configures a service: by variables, or by a file as the services read it. */
const isConfigured = (args: readonly string[]) =>
  Object.keys(process.env).some((name) => name.startsWith('Service__') || name === 'CANVASS_CONFIG') ||
  args.some((word) => /^--config(=|$)/.test(word));

const firstWords = () => Object.keys(operators).filter((name) => !name.includes(' '));

/** The services that have the operation; for the help those that have one of the operations below it. */
function ableServices(args: readonly string[], isHelp: boolean): ServiceName[] {
  const [first = ''] = args;
  if (!isHelp) return [...(operators[args.slice(0, 2).join(' ')] ?? operators[first] ?? [])];
  const isNamed = (name: string) => first === '' || first.startsWith('-') || name.split(' ')[0] === first;
  const named = Object.entries(operators).filter(([name]) => isNamed(name));
  return [...new Set(named.flatMap(([, services]) => services))];
}

/** Prints the help of services. What several of them can do is printed once. */
function help(answers: readonly Ended[]): number {
  const parts = answers.flatMap(({ printed }) => printed.split(/^(?=\S)/m));
  const known = parts.filter((part) => part.startsWith('ops '));
  for (const part of new Set([...known, ...parts])) process.stdout.write(part);
  if (known.length > 0) return done;
  for (const said of new Set(answers.map((answer) => answer.said))) process.stderr.write(said);
  return Math.max(...answers.map(({ status }) => status));
}

type Runs = (service: ServiceName, output: 'inherit' | 'pipe') => Ended;

/** One service after the other, up to the first that refuses. */
function inEach(services: readonly ServiceName[], runs: Runs): number {
  for (const name of services) {
    const { status, said } = runs(name, 'inherit');
    process.stderr.write(said);
    if (status === done) continue;
    if (name !== services.at(-1))
      console.error(`${name} did not do it. The services after it were not asked.`);
    return status;
  }
  return done;
}

/** An event is in the outbox of one service only: that the others lack it is printed if all lack it. */
function inSome(services: readonly ServiceName[], runs: Runs): number {
  const missed = new Set<string>();
  const statuses: number[] = [];
  for (const name of services) {
    const { status, said } = runs(name, 'inherit');
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

/** The end of the command line of a service. */
interface Ended {
  status: number;
  /** The text on standard output; empty if that was inherited. */
  printed: string;
  /** The text to people, on standard error. */
  said: string;
}

function run(
  service: ServiceName,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'pipe',
): Ended {
  const isBackfill = args[0] === 'backfill';
  const [app, argv] = isBackfill ? ['backfill', args.slice(1)] : [service, ['ops', ...args]];
  const program = path.join(checkoutDir, 'dist/apps', app, 'main.js');
  if (!existsSync(program))
    return { status: failed, printed: '', said: `${app} is not built: npm run build\n` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
    stdio: ['inherit', isBackfill ? 'inherit' : output, isBackfill ? 'inherit' : 'pipe'],
    encoding: 'utf8',
    env,
  });
  return { status: status ?? failed, printed: stdout ?? '', said: stderr ?? '' };
}

/** The configuration of the service in the running stack, with what the caller's environment sets for it. */
function environmentOf(
  service: ServiceName,
  running: StackFile,
  given: ServiceEnvironments,
): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('Service__'));
  const addresses = { ...running, urls: urlsOf(running) };
  const ports = { port: 0, internalPort: 0 };
  return {
    ...Object.fromEntries(others),
    ...given[service],
    ...serviceEnvironment(service, ports, addresses, loadSecrets(dir, serviceNames)),
  };
}

runCommand(() => main(process.argv.slice(2)));
