import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '@canvass/testing';
import { api } from '../api';
import type { RelayOptions, Tenant, Harness } from '../harness';

export interface RelayProcess {
  url: string;
  pid: number;
  /** Resolves when it has ended, by itself or stopped. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a relay of the world as a process of its own, with these further arguments of Node. */
export async function startRelay(
  world: Harness,
  options: RelayOptions,
  nodeArgs: readonly string[] = [],
): Promise<RelayProcess> {
  const child = fork(path.join(__dirname, 'relay-process.ts'), {
    execArgv: ['--import', 'tsx', ...nodeArgs],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  child.send(world.settings(options));
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    pid: child.pid!,
    ended,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** Lets the relays learn of a tenant's settings; gives its calls of the API. */
export async function introduce(world: Harness, relay: RelayProcess, tenant: Tenant, endpoints: number) {
  const calls = api(world, relay.url, tenant);
  await world.publish(tenant.settingsChanged());
  await eventually(async () => (await calls.get('/api/webhooks/endpoints?total=exact')).total === endpoints, {
    timeoutMs: 60_000,
  });
  return calls;
}

/** Publishes so many events, a thousand at a time. */
export async function publishMany(world: Harness, tenant: Tenant, number: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < number) {
    const events = Array.from({ length: Math.min(1_000, number - ids.length) }, () => tenant.event());
    await Promise.all(events.map((event) => world.publish(event)));
    ids.push(...events.map(({ id }) => id));
  }
  return ids;
}
