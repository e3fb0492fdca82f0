import { cpSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir, PortBook } from '@canvass/infra';
import {
  buildApps,
  serviceNames,
  startStack,
  type ServiceEnvironments,
  type ServiceName,
  type Stack,
} from '@canvass/stack';
import { FaultyProxy } from '@canvass/testing';
import { buildWithFailpoints } from './failpoints/points';
import { linkNames, links, type LinkName } from './nemesis/targets';
import { buildPreload, preloadFile } from './preload/build-preload';
import { buildSeeded, type SeededBug } from './seeded/build-seeded';

/** Enough for bodies of a megabyte, if they have a budget. */
const nodeArgs = ['--max-old-space-size=256'];

/**
 * Creates a proxy for each link of a stack in `dir`, which need not run yet.
 *
 * @param moved ports that lead elsewhere, by name; may change
 */
export function createProxies(
  dir: string,
  moved: ReadonlyMap<string, number>,
): Record<LinkName, FaultyProxy> {
  const portOf = (name: string) =>
    moved.get(name) ?? new PortBook(path.join(dir, 'ports.json')).remembered(name);
  const proxies = linkNames.map((name) => {
    const proxy = new FaultyProxy(() => links[name].to.map(portOf).filter((port) => port !== undefined));
    return [name, proxy] as const;
  });
  return Object.fromEntries(proxies) as Record<LinkName, FaultyProxy>;
}

/**
 * Starts a stack for this run alone: private servers that write to disk, two replicas where replicas compete.
 */
export function startOwnStack(options: {
  dir: string;
  env: ServiceEnvironments;
  seeded: SeededBug | null;
  /** Build the services with failpoints. */
  failpoints: boolean;
  say(line: string): void;
}): Promise<Stack> {
  const { dir, env, seeded, failpoints, say } = options;
  const folderOf = (name: ServiceName) => path.join(dir, 'programs', name);
  const programs = serviceNames.map((name) => [name, path.join(folderOf(name), 'main.js')] as const);
  return startStack({
    dir,
    replicas: { 'submissions-svc': 2, 'webhook-relay-svc': 2 },
    env,
    programs: Object.fromEntries(programs),
    privateServers: true,
    nodeArgs: [...nodeArgs, '--require', preloadFile(dir)],
    say,
    prepare: async () => {
      await buildApps();
      // Copies: another build of this checkout must not change the program of a process that is restarted.
      for (const name of serviceNames)
        cpSync(path.join(checkoutDir, 'dist', 'apps', name), folderOf(name), { recursive: true });
      const files = Object.fromEntries(programs) as Record<ServiceName, string>;
      await buildPreload(dir);
      if (seeded) await buildSeeded(seeded, files);
      if (failpoints) await buildWithFailpoints(files);
    },
  });
}
