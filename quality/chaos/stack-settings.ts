import { rabbitLogin } from '@canvass/infra';
import { loadSecrets, roleUrl, serviceNames, type ServiceEnvironments } from '@canvass/stack';
import { createRandom } from '@canvass/testing';
import { failpointServices } from './failpoints/points';
import { armedFolder } from './nemesis/failpoints';
import { linkNames, links, type Link, type LinkName } from './nemesis/targets';

/** A short run: no finding in it depends on the clock, and its timeouts are shorter. */
export const isShort = (seconds: number): boolean => seconds <= 300;

/** `Service:WebHooks` of the relays; in a long run the defaults. */
const senderTimes = (seconds: number): { timeoutSeconds: number; leaseSeconds: number } =>
  isShort(seconds) ? { timeoutSeconds: 4, leaseSeconds: 9 } : { timeoutSeconds: 15, leaseSeconds: 30 };

export const leaseSecondsFor = (seconds: number): number => senderTimes(seconds).leaseSeconds;

/** Failed deliveries are retried soon, and none is given up before the end of the run. */
export function fastRetrySettings(seconds: number): ServiceEnvironments {
  const { timeoutSeconds, leaseSeconds } = senderTimes(seconds);
  const schedule = [0.5, 0.5, 1, 1, ...Array<number>(46).fill(2)];
  return {
    'webhook-relay-svc': {
      Service__WebHooks__RetryScheduleSeconds: JSON.stringify(schedule),
      Service__WebHooks__TimeoutSeconds: String(timeoutSeconds),
      Service__WebHooks__LeaseSeconds: String(leaseSeconds),
    },
  };
}

/** `Service:Outbox:DeliverToJobQueue` of the two relays; `mixed`: on in the first, off in the second. */
export const jobQueueModes = ['on', 'off', 'mixed'] as const;
export type JobQueueMode = (typeof jobQueueModes)[number];

/** The mode of a run without `--job-queue`: on for half of all seeds, off and mixed for a quarter each. */
export const jobQueueOfSeed = (seed: string): JobQueueMode =>
  createRandom(`${seed}/job-queue`).pick(['on', 'on', 'off', 'mixed']);

/** Makes the relays of a stack use the mode. */
export function jobQueueSettings(mode: JobQueueMode): ServiceEnvironments {
  const set = (on: boolean) => ({ Service__Outbox__DeliverToJobQueue: String(on) });
  return { 'webhook-relay-svc': set(mode !== 'off'), 'webhook-relay-svc-2': set(mode === 'on') };
}

/** Where the services with failpoints look for those that are armed. */
export const failpointSettings = (dir: string): ServiceEnvironments =>
  Object.fromEntries(failpointServices.map((name) => [name, { FAILPOINTS: armedFolder(dir) }]));

/**
 * Makes the services connect through the proxies.
 *
 * @param dir folder of the stack, with its secrets
 * @param portOf the proxy's port of a link
 */
export function proxySettings(dir: string, portOf: (link: LinkName) => number): ServiceEnvironments {
  const secrets = loadSecrets(dir, serviceNames);
  const { user, password } = rabbitLogin(dir);
  const settings = linkNames.map((name): ServiceEnvironments => {
    const { service, to, setting }: Link = links[name];
    const address = `127.0.0.1:${portOf(name)}`;
    if (setting !== undefined) return { [service]: { [setting]: `http://${address}` } };
    if (to[0] === 'amqp')
      return { [service]: { Service__Broker__Url: `amqp://${user}:${password}@${address}` } };
    const database = roleUrl(`postgres://${address}/postgres`, service, secrets)!;
    return { [service]: { Service__Database__Url: database } };
  });
  return merge(...settings);
}

/** Joins settings by service; later ones win. */
export function merge(...environments: ServiceEnvironments[]): ServiceEnvironments {
  const result: ServiceEnvironments = {};
  for (const environment of environments) {
    for (const name of Object.keys(environment) as (keyof ServiceEnvironments)[])
      result[name] = { ...result[name], ...environment[name] };
  }
  return result;
}
