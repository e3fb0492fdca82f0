import path from 'node:path';
import { build } from 'esbuild';
import type { ServiceEnvironments } from '@canvass/stack';
import { processNames, type ProcessName } from '../nemesis/targets';

/** The program that each process of a stack in `dir` loads first. */
export const preloadFile = (dir: string): string => path.join(dir, 'programs', 'preload.js');

/** The file with the milliseconds by which the clock of a process differs. */
export const clockFile = (dir: string, name: ProcessName): string => path.join(dir, `clock-${name}`);

/** Gives each process its clock, and the name server to all. @param nameServer `<address>:<port>` */
export const preloadSettings = (dir: string, nameServer: string): ServiceEnvironments =>
  Object.fromEntries(
    processNames.map((name) => [name, { CHAOS_CLOCK: clockFile(dir, name), CHAOS_NAME_SERVER: nameServer }]),
  );

export async function buildPreload(dir: string): Promise<void> {
  await build({
    entryPoints: [path.join(__dirname, 'preload.ts')],
    outfile: preloadFile(dir),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
  });
}
