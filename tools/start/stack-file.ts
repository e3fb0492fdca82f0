import path from 'node:path';
import { readJson, writeJson } from '../infra';
import type { DemoLogins } from './demo-logins';
import type { ServiceName, StackAddresses } from './services';

/** One process of a service. `url` is its public listener, `metricsUrl` the metrics on its internal one. */
export interface RunningCopy {
  url: string;
  metricsUrl: string;
  /** Null while it is down. */
  pid: number | null;
}

/**
 * `.local/stack.json`: what runs, for scripts that drive it. Present only while a stack runs; pids are kept
 * current.
 */
export interface StackFile {
  gatewayUrl: string;
  services: Record<ServiceName, RunningCopy>;
  /** Further copies of a service (`--replicas`), the first one not among them. */
  replicas: Partial<Record<ServiceName, RunningCopy[]>>;
  /** Superuser URL of the database. */
  databaseUrl: string;
  amqpUrl: string;
  /** Base URL of RabbitMQ's management API with its login; null when a broker was given without one. */
  amqpManagementUrl: string | null;
  /** Pids are null for servers that are not ours. */
  infra: { postgres: { pid: number | null }; rabbitmq: { pid: number | null } };
  supervisorPid: number;
  demo: DemoLogins;
}

export function stackFileIn(dir: string): string {
  return path.join(dir, 'stack.json');
}

export function readStackFile(dir: string): StackFile | null {
  return readJson<StackFile>(stackFileIn(dir));
}

/** Replaces the file whole; it holds passwords, so only its owner may read it. */
export function writeStackFile(dir: string, stack: StackFile): void {
  writeJson(stackFileIn(dir), stack, 0o600);
}

/** Addresses of the services of a stack, for processes beside them. */
export function urlsOf({
  services,
  replicas,
}: Pick<StackFile, 'services' | 'replicas'>): StackAddresses['urls'] {
  const urls = Object.entries(services).map(([name, { url, metricsUrl }]) => {
    const further = replicas[name as ServiceName] ?? [];
    const copies = [url, ...further.map((copy) => copy.url)];
    return [name, { url, internalUrl: new URL(metricsUrl).origin, copies }];
  });
  return Object.fromEntries(urls) as StackAddresses['urls'];
}
