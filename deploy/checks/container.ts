import { exportsOf } from '@canvass/routes';
import { ConfigurationError, loadConfig, type HostingSettings } from '@canvass/service-kit';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const checkout = path.resolve(__dirname, '../..');
const apps = path.join(checkout, 'apps');

/** Every app with a service definition: a deployment must run all of them. */
export const services = readdirSync(apps).filter((app) => existsSync(path.join(apps, app, 'src/service.ts')));

/** The bundle that a command starts: what follows `node` and its flags; undefined for other programs. */
export function bundleOf(command: readonly string[] = []): string | undefined {
  return command[0] === 'node' ? command.slice(1).find((word) => !word.startsWith('--')) : undefined;
}

/** Returns whether the bundle runs a command (`main.js migrate`) and ends, instead of serving. */
export const isCommand = (command: readonly string[] = []): boolean => command.at(-1) !== bundleOf(command);

/** The command, if the service has none of that name. */
export async function unknownCommand(command: readonly string[] = []): Promise<string[]> {
  const app = services.find((name) => bundleOf(command) === `dist/apps/${name}/main.js`);
  if (app === undefined || !isCommand(command)) return [];
  const { service } = (await exportsOf(app, 'service.ts')) as { service: { commands?: object } };
  const [name = ''] = command.slice(command.indexOf(bundleOf(command)!) + 1);
  return name in (service.commands ?? {}) ? [] : [`${app} has no command ${name}`];
}

/** The services that none of the bundles is. */
export function missingServices(bundles: readonly (string | undefined)[]): string[] {
  return services
    .filter((app) => !bundles.includes(`dist/apps/${app}/main.js`))
    .map((app) => `nothing runs ${app}`);
}

/**
 * Reads the environment of a container as the process in it does.
 *
 * @returns the settings of the listeners (undefined for a process without), and one sentence for each fault
 */
export async function readEnvironment(
  bundle: string | undefined,
  env: Record<string, string>,
): Promise<{ hosting?: HostingSettings | undefined; faults: readonly string[] }> {
  if (bundle === 'dist/tools/webhook-sink.js') return { faults: [] }; // it has no configuration
  const schema = await schemaOf(bundle);
  if (schema === undefined) return { faults: [`starts ${bundle}, which is not in the image`] };
  try {
    const { Service } = loadConfig(schema, { argv: [], env, defaultsFile: '/nonexistent/config.json' });
    return { hosting: Service.Hosting, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { faults: error.faults };
  }
}

type Schema = Parameters<typeof loadConfig<{ Service: { Hosting?: HostingSettings } }>>[0];

async function schemaOf(bundle: string | undefined): Promise<Schema | undefined> {
  if (bundle === 'dist/tools/provision.js')
    return ((await import(path.join(checkout, 'tools/provision/config.ts'))) as { configSchema: Schema })
      .configSchema;
  const app = services.find((name) => bundle === `dist/apps/${name}/main.js`);
  if (app === undefined) return undefined;
  return ((await exportsOf(app, 'service.ts')) as { service: { configSchema: Schema } }).service.configSchema;
}

/**
 * The addresses in an environment where nothing listens. Hosts with a dot are outside of the deployment.
 */
export function unknownAddresses(env: Record<string, string>, known: ReadonlySet<string>): string[] {
  return Object.entries(env).flatMap(([key, value]) =>
    [...value.matchAll(/\w+:\/\/(?:[^@/\s]*@)?([a-z0-9-]+:\d+)/g)]
      .filter(([, address]) => !known.has(address!))
      .map(([, address]) => `${key} names ${address}, where nothing listens`),
  );
}

/**
 * The members that an object lacks of an expected one, with the place. Lists must have equal elements in any
 * order, objects may have more members; a pattern stands for a text.
 */
export function differences(expected: unknown, actual: unknown, at = ''): string[] {
  if (expected instanceof RegExp)
    return expected.test(String(actual)) ? [] : [`${at} is ${String(actual)}, not ${String(expected)}`];
  if (Array.isArray(expected)) {
    const elements: unknown[] = Array.isArray(actual) ? actual : [];
    return expected
      .filter((element) => elements.every((candidate) => differences(element, candidate).length > 0))
      .map((element) => `${at} lacks ${JSON.stringify(element)}`);
  }
  if (typeof expected === 'object' && expected !== null)
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown> | undefined)?.[key], at ? `${at}.${key}` : key),
    );
  return expected === actual ? [] : [`${at} is ${String(actual)}, not ${String(expected)}`];
}
