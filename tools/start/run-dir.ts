import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { livingServers, localDir, serverHome, startTimeOf } from '../infra';
import { endLeftoverServices } from './running-stack';

/**
 * Calls `use` with an empty folder, `.local/<name>-<pid>`, and deletes it afterwards, unless `keep`. First ends
 * the processes of killed runs of this name and deletes their folders.
 */
export async function withRunDir<T>(
  name: string,
  keep: boolean,
  use: (dir: string) => Promise<T>,
): Promise<T> {
  const isKept = (dir: string) => existsSync(path.join(dir, 'kept'));
  const remove = (dir: string) => {
    // The data of servers may be elsewhere.
    for (const each of [serverHome(dir).dir, dir]) rmSync(each, { recursive: true, force: true });
  };
  for (const each of existsSync(localDir) ? readdirSync(localDir) : []) {
    const pid = Number(each.startsWith(`${name}-`) ? each.slice(name.length + 1) : NaN);
    const dir = path.join(localDir, each);
    if (Number.isNaN(pid) || startTimeOf(pid) !== null || isKept(dir)) continue;
    if (existsSync(path.join(dir, 'run'))) await endLeftoverServices(dir);
    await Promise.all(livingServers(dir).map((server) => server.stop()));
    remove(dir);
  }
  const dir = path.join(localDir, `${name}-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  try {
    return await use(dir);
  } finally {
    if (keep) writeFileSync(path.join(dir, 'kept'), '');
    else remove(dir);
  }
}
