import path from 'node:path';
import { livingServers, lockHolder, terminate } from '../infra';
import { endLeftoverServices } from './leftovers';

/**
 * Stops the stack of this checkout: through its supervisor if that lives, and whatever a killed supervisor
 * left behind.
 */
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
