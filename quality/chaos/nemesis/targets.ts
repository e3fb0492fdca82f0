import type { ServiceName, Stack } from '@canvass/stack';
import type { FaultyProxy } from '@canvass/testing';
import type { Checker } from '../checker/checker';

/** Processes that are killed and paused, by their names in the stack. */
export const processNames = [
  'identity-svc',
  'submissions-svc',
  'submissions-svc-2',
  'datalists-svc',
  'webhook-relay-svc',
  'webhook-relay-svc-2',
  'gateway',
] as const;
export type ProcessName = (typeof processNames)[number];

/** The servers below the services. Of Postgres, the process that accepts connections is paused. */
export const serverNames = ['postgres', 'rabbitmq'] as const;
export type ServerName = (typeof serverNames)[number];

/** A connection of a process with a proxy of the harness between. */
export interface Link {
  /** All processes of the service, except those that have a link of their own. */
  service: ServiceName | 'submissions-svc-2' | 'webhook-relay-svc-2';
  /** The ports that it leads to, as the stack names them. */
  to: readonly string[];
  /** The setting of the service that has the address; by default that of its database or broker. */
  setting?: string;
}
const inGateway = (service: string) => ({
  service: 'gateway' as const,
  setting: `Service__Gateway__Services__${service}`,
});

export const links = {
  'submissions>postgres': { service: 'submissions-svc', to: ['postgres'] },
  'datalists>postgres': { service: 'datalists-svc', to: ['postgres'] },
  'relay>postgres': { service: 'webhook-relay-svc', to: ['postgres'] },
  'submissions-2>postgres': { service: 'submissions-svc-2', to: ['postgres'] },
  'relay-2>postgres': { service: 'webhook-relay-svc-2', to: ['postgres'] },
  'identity>postgres': { service: 'identity-svc', to: ['postgres'] },
  'submissions>rabbitmq': { service: 'submissions-svc', to: ['amqp'] },
  'datalists>rabbitmq': { service: 'datalists-svc', to: ['amqp'] },
  'relay>rabbitmq': { service: 'webhook-relay-svc', to: ['amqp'] },
  'submissions-2>rabbitmq': { service: 'submissions-svc-2', to: ['amqp'] },
  'relay-2>rabbitmq': { service: 'webhook-relay-svc-2', to: ['amqp'] },
  'gateway>submissions': { ...inGateway('Submissions'), to: ['submissions-svc', 'submissions-svc-2'] },
  'gateway>datalists': { ...inGateway('DataLists'), to: ['datalists-svc'] },
  'gateway>identity': { ...inGateway('Identity'), to: ['identity-svc'] },
  'relay>submissions': {
    service: 'webhook-relay-svc',
    setting: 'Service__Settings__BaseUrl',
    to: ['submissions-svc-internal', 'submissions-svc-2-internal'],
  },
} satisfies Record<string, Link>;
export type LinkName = keyof typeof links;
/** Links to the servers, one of each process. */
export const serverLinks = (Object.keys(links) as LinkName[]).filter((name) =>
  /(postgres|rabbitmq)$/.test(name),
);
export const linkNames = Object.keys(links) as LinkName[];

/** Everything that faults act on. */
export interface Targets {
  stack: Stack;
  proxies: Record<LinkName, FaultyProxy>;
  checker: Checker;
}

/** Returns what the stack knows of one process. */
export function processOf(stack: Stack, name: ProcessName): { pid: number | null; url: string } {
  const { services, replicas } = stack.file;
  const [, service = name, number] = /^(.*?)(?:-(\d))?$/.exec(name) ?? [];
  const key = service as keyof typeof services;
  const found = number === undefined ? services[key] : replicas[key]?.[Number(number) - 2];
  if (!found) throw new Error(`there is no process ${name}`);
  return found;
}

/** Returns the URL of RabbitMQ's management API with its login. */
export function managementUrlOf(stack: Stack): string {
  const url = stack.file.amqpManagementUrl;
  if (url === null) throw new Error('the broker has no management API');
  return url;
}
