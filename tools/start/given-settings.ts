import { describeConfig } from '@canvass/service-kit';
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
 * @throws {SetupError} if no service reads a variable, or `npm start` itself must set it
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
    serviceNames.map(async (service) => [service, await keysOf(service)] as const),
  );
  const settings: ServiceEnvironments = {};
  for (const [name, value] of given) {
    const readers = known.filter(([, keys]) => keys.some((key) => isWithin(name, key)));
    if (readers.length === 0)
      throw new SetupError(`No service reads ${name}: docs/configuration.md lists all keys.`);
    for (const [service] of readers) settings[service] = { ...settings[service], [name]: value };
  }
  return settings;
}

/** The keys of a service, `Service:Hosting:Port`, from its schema. */
async function keysOf(service: ServiceName): Promise<string[]> {
  const file = path.join(checkoutDir, 'apps', service, 'src/config.ts');
  const { configSchema } = (await import(pathToFileURL(file).href)) as { configSchema: Joi.ObjectSchema };
  return describeConfig(configSchema).map(({ key }) => key);
}

/** Returns whether a variable names the key, a part of it (an element of a list) or a section around it. */
function isWithin(name: string, key: string): boolean {
  const variable = name.replace(/_FILE$/, '').split('__');
  const parts = key.split(':');
  return parts.slice(0, variable.length).every((part, n) => part === '[n]' || part === variable[n]);
}
