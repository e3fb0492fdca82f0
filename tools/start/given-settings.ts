import { ConfigurationError, describeConfig, loadConfig } from '@canvass/service-kit';
import type Joi from 'joi';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkoutDir, SetupError } from '../infra';
import { serviceNames, type ServiceEnvironments, type ServiceName } from './services';

/** The settings of which each process has a value of its own. */
const ownOfEachProcess =
  /^Service__(Hosting__(Host|Port|InternalPort)|Database__\w*Url|Broker__Url)(_FILE)?$/;

/**
 * The variables `Service__*` of an environment, by the services that read them. A stack has one environment
 * and five services, and a service refuses keys that it does not know.
 *
 * @throws {SetupError} if no service reads a variable, if its value is wrong, or if `npm start` itself must set it
 */
export async function givenSettings(env: NodeJS.ProcessEnv): Promise<ServiceEnvironments> {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('Service__') && Boolean(entry[1]),
  );
  if (given.length === 0) return {};
  const fixed = given.find(([name]) => ownOfEachProcess.test(name));
  if (fixed)
    throw new SetupError(
      `npm start sets ${fixed[0]} for each process itself: remove it from the environment.`,
    );
  const known = await Promise.all(
    serviceNames.map(async (service) => [service, await schemaOf(service)] as const),
  );
  const settings: ServiceEnvironments = {};
  for (const [name, value] of given) {
    const readers = known.filter(([, { keys }]) => keys.some((key) => isWithin(name, key)));
    if (readers.length === 0)
      throw new SetupError(`No service reads ${name}: docs/configuration.md lists all keys.`);
    for (const [service] of readers) settings[service] = { ...settings[service], [name]: value };
  }
  const faults = known.flatMap(([service, { schema }]) => faultsOf(schema, settings[service] ?? {}));
  if (faults.length > 0) throw new SetupError(new ConfigurationError([...new Set(faults)]).message);
  return settings;
}

/** The schema of a service and its keys, `Service:Hosting:Port`. */
async function schemaOf(service: ServiceName): Promise<{ schema: Joi.ObjectSchema; keys: string[] }> {
  const file = path.join(checkoutDir, 'apps', service, 'src/config.ts');
  const { configSchema: schema } = (await import(pathToFileURL(file).href)) as {
    configSchema: Joi.ObjectSchema;
  };
  return { schema, keys: describeConfig(schema).map(({ key }) => key) };
}

/** What the service would say of these variables. That others are missing does not count: the stack sets them. */
function faultsOf(schema: Joi.ObjectSchema, variables: Record<string, string>): string[] {
  const given = Object.keys(variables).map((name) => `${name.replace(/_FILE$/, '').replaceAll('__', ':')}:`);
  try {
    loadConfig(schema, { argv: [], env: variables });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.filter((fault) => {
      const place = `${fault.split(' ')[0]!.replace(/_FILE$/, '')}:`;
      const isAround = (key: string) => key.startsWith(place) && !fault.endsWith('is required.');
      return given.some((key) => place.startsWith(key) || isAround(key));
    });
  }
}

/** Returns whether a variable names the key, a part of it (an element of a list) or a section around it. */
function isWithin(name: string, key: string): boolean {
  const variable = name.replace(/_FILE$/, '').split('__');
  const parts = key.split(':');
  return parts.slice(0, variable.length).every((part, n) => part === '[n]' || part === variable[n]);
}
