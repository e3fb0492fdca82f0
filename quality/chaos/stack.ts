import path from 'node:path';
import { PortBook, rabbitLogin } from '@canvass/infra';
import {
  buildApps,
  loadSecrets,
  roleUrl,
  serviceNames,
  startStack,
  type ServiceEnvironments,
  type Stack,
} from '@canvass/stack';
import { FaultyProxy } from '@canvass/testing';
import { isShort, type ChaosArguments } from './arguments';
import { linkNames, links, type Link, type LinkName } from './nemesis/targets';

/** Failed deliveries are retried soon, and none is given up before the end of the run. */
function fastRetrySettings(seconds: number): ServiceEnvironments {
  const schedule = [0.5, 0.5, 1, 1, ...Array<number>(46).fill(2)];
  return {
    'webhook-relay-svc': {
      Service__WebHooks__RetryScheduleSeconds: JSON.stringify(schedule),
      Service__WebHooks__TimeoutSeconds: isShort(seconds) ? '4' : '15',
      Service__WebHooks__LeaseSeconds: isShort(seconds) ? '9' : '30',
    },
  };
}

/** Makes the services connect through the proxies. @param portOf the proxy's port of a link */
function proxySettings(dir: string, portOf: (link: LinkName) => number): ServiceEnvironments {
  const secrets = loadSecrets(dir, serviceNames);
  const { user, password } = rabbitLogin(dir);
  const settings = linkNames.map((name): ServiceEnvironments => {
    const { service, to, setting }: Link = links[name];
    const address = `127.0.0.1:${portOf(name)}`;
    if (setting !== undefined) return { [service]: { [setting]: `http://${address}` } };
    if (to[0] === 'amqp')
      return { [service]: { Service__Broker__Url: `amqp://${user}:${password}@${address}` } };
    const role = service.replace(/-2$/, '');
    const database = roleUrl(`postgres://${address}/postgres`, role, secrets)!;
    return { [service]: { Service__Database__Url: database } };
  });
  return merge(...settings);
}

/** Joins settings by service; later ones win. */
function merge(...environments: ServiceEnvironments[]): ServiceEnvironments {
  const result: ServiceEnvironments = {};
  for (const environment of environments)
    for (const name of Object.keys(environment) as (keyof ServiceEnvironments)[])
      result[name] = { ...result[name], ...environment[name] };
  return result;
}

/** Creates a proxy for each link of a stack in `dir`, which need not run yet. */
export function createProxies(dir: string): Record<LinkName, FaultyProxy> {
  const portOf = (name: string) => new PortBook(path.join(dir, 'ports.json')).remembered(name);
  const proxies = linkNames.map((name) => {
    const proxy = new FaultyProxy(() => links[name].to.map(portOf).filter((port) => port !== undefined));
    return [name, proxy] as const;
  });
  return Object.fromEntries(proxies) as Record<LinkName, FaultyProxy>;
}

/**
 * Starts a stack for this run alone: private servers that write to disk, two replicas where replicas compete.
 *
 * @param portOf port of the proxy of a link
 */
export function startOwnStack(
  dir: string,
  { seconds }: ChaosArguments,
  portOf: (link: LinkName) => number,
  say: (line: string) => void,
): Promise<Stack> {
  return startStack({
    dir,
    replicas: { 'submissions-svc': 2, 'webhook-relay-svc': 2 },
    env: merge(proxySettings(dir, portOf), fastRetrySettings(seconds)),
    privateServers: true,
    // Enough memory for bodies of a megabyte, if they have a budget.
    nodeArgs: ['--max-old-space-size=256'],
    say,
    prepare: buildApps,
  });
}
