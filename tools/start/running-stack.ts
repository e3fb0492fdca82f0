import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  livingServers,
  lockHolder,
  PidFile,
  PortBook,
  removeComposeServers,
  serverHome,
  SetupError,
  terminate,
} from '../infra';
import { serviceNames } from './services';
import { readStackFile, stackFileIn, type StackFile } from './stack-file';

/**
 * Ends the service processes of a supervisor that was killed; their servers stay. Returns how many lived.
 */
export async function endLeftoverServices(dir: string): Promise<number> {
  const run = path.join(dir, 'run');
  const names = new RegExp(`^(${serviceNames.join('|')})(-\\d)?\\.json$`);
  const files = readdirSync(run)
    .filter((name) => names.test(name))
    .map((name) => new PidFile(path.join(run, name)));
  const living = files.map((file) => file.live()).filter((record) => record !== null);
  await Promise.all(living.map((record) => terminate(record, [['SIGTERM', 10_000]])));
  for (const file of files) file.remove();
  rmSync(stackFileIn(dir), { force: true });
  return living.length;
}

/** Stops the stack of this checkout: by its supervisor if that lives, and what a killed supervisor left. */
export async function stopEverything(dir: string, lock: string, say: (line: string) => void): Promise<void> {
  const supervisor = lockHolder(lock);
  if (supervisor) {
    say(`Stopping Canvass (process ${supervisor.pid}) …`);
    await terminate(supervisor, [['SIGTERM', 90_000]]);
  }
  const leftovers = await endLeftoverServices(dir);
  const servers = livingServers(dir);
  await Promise.all(servers.map((server) => server.stop()));
  const found = supervisor !== null || leftovers > 0 || servers.length > 0;
  say(found ? 'Stopped.' : `Nothing of ${path.dirname(dir)} runs.`);
}

/** Deletes all data, secrets and logs of a stopped stack. Downloaded programs and the remembered ports stay. */
export async function startOver(dir: string): Promise<void> {
  await removeComposeServers({ dir, ports: new PortBook(path.join(dir, 'ports.json')) });
  const home = serverHome(dir).dir;
  const data = readdirSync(home).filter((name) => name.endsWith('-data'));
  const files = ['secrets.json', 'tenants.json', 'stack.json', 'logs'];
  const paths = [...data.map((name) => path.join(home, name)), ...files.map((name) => path.join(dir, name))];
  for (const each of paths) rmSync(each, { recursive: true, force: true });
}

/** The stack of another `npm start`, which may still be starting it. */
export async function waitForStack(dir: string, lock: string, timeoutMs = 240_000): Promise<StackFile> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(200)) {
    const holder = lockHolder(lock);
    const stack = readStackFile(dir);
    if (stack && stack.supervisorPid === holder?.pid) return stack;
    if (!holder)
      throw new SetupError('The other "npm start" ended before its stack was ready: run it again.');
    if (Date.now() > deadline)
      throw new SetupError(
        `The other "npm start" (process ${holder.pid}) does not get ready: stop it with npm start -- --stop.`,
      );
  }
}
