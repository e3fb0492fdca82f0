import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { livingServers, localDir, startTimeOf } from '@canvass/infra';
import { endLeftoverServices } from '@canvass/stack';

/** Folder of the run of one harness process. */
export const runDirOf = (pid: number): string => path.join(localDir, `chaos-${pid}`);

/** Ends the processes of a harness that was killed before it could, and forgets its data. A run that was kept stays. */
export async function clearLeftovers(): Promise<void> {
  if (!existsSync(localDir)) return;
  for (const name of readdirSync(localDir)) {
    const pid = Number(/^chaos-(\d+)$/.exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || startTimeOf(pid) !== null) continue;
    const dir = runDirOf(pid);
    if (existsSync(keptMarkOf(dir))) continue;
    if (existsSync(path.join(dir, 'run'))) await endLeftoverServices(dir);
    await Promise.all(livingServers(dir).map((server) => server.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A file that says that the folder is to stay. */
export const keptMarkOf = (dir: string): string => path.join(dir, 'kept');
