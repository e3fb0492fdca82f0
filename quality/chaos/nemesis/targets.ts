import type { Stack } from '@canvass/stack';
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

/**
 * Connections `<from>><to>` with a proxy of the harness between, and the ports they lead to, as the stack
 * names them.
 */
export const links = {
  'submissions>postgres': ['postgres'],
  'datalists>postgres': ['postgres'],
  'relay>postgres': ['postgres'],
  'identity>postgres': ['postgres'],
  'submissions>rabbitmq': ['amqp'],
  'datalists>rabbitmq': ['amqp'],
  'relay>rabbitmq': ['amqp'],
  'gateway>submissions': ['submissions-svc', 'submissions-svc-2'],
  'gateway>datalists': ['datalists-svc'],
  'gateway>identity': ['identity-svc'],
  'relay>submissions': ['submissions-svc-internal', 'submissions-svc-2-internal'],
};
export type LinkName = keyof typeof links;
export const linkNames = Object.keys(links) as LinkName[];

export const databaseRoles = [
  'canvass_submissions',
  'canvass_datalists',
  'canvass_webhooks',
  'canvass_identity',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** Everything that faults act on. */
export interface Targets {
  stack: Stack;
  proxies: Record<LinkName, FaultyProxy>;
  rabbitmqctl(...args: string[]): Promise<void>;
  checker: Checker;
  /** `Service:WebHooks:LeaseSeconds` of the relays. */
  leaseSeconds: number;
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
