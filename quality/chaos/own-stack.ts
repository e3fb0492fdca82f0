import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import {
  buildApps,
  type ServiceEnvironments,
  type ServiceName,
  serviceNames,
  type Stack,
  startStack,
} from '@canvass/stack';
import type { SeededBug } from './arguments';
import { clearLeftovers, keptMarkOf, runDirOf } from './leftovers';
import { buildSeeded } from './seeded/build-seeded';

const replicas = { 'submissions-svc': 2, 'webhook-relay-svc': 2 } as const;

/** An empty folder for this run, after what killed runs have left is gone. */
export async function freshRunDir(): Promise<string> {
  await clearLeftovers();
  const dir = runDirOf(process.pid);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** Throws the run's folder away, or marks it as one to keep. */
export function leaveRunDir(dir: string, keep: boolean): void {
  if (keep) writeFileSync(keptMarkOf(dir), '');
  else rmSync(dir, { recursive: true, force: true });
}

/** A stack for this run alone: private servers that write to disk, two copies where copies compete. */
export function startOwnStack(options: {
  dir: string;
  env: ServiceEnvironments;
  seeded: SeededBug | null;
  say(line: string): void;
}): Promise<Stack> {
  const { dir, env, seeded, say } = options;
  const programs = programsIn(dir);
  return startStack({
    dir,
    replicas,
    env,
    programs,
    privateServers: true,
    say,
    prepare: async () => {
      await buildApps();
      // Copies: another build of this checkout must not change what a killed process comes back as.
      for (const name of serviceNames) copyProgram(name, programs[name]);
      if (seeded) await buildSeeded(seeded, programs);
    },
  });
}

function programsIn(dir: string): Record<ServiceName, string> {
  const at = (name: ServiceName) => [name, path.join(dir, 'programs', name, 'main.js')] as const;
  return Object.fromEntries(serviceNames.map(at)) as Record<ServiceName, string>;
}

function copyProgram(name: ServiceName, target: string): void {
  cpSync(path.join(checkoutDir, 'dist', 'apps', name), path.dirname(target), { recursive: true });
}
