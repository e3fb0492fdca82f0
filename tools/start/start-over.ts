import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PortBook, removeComposeServers, serverHome } from '../infra';

/**
 * Forgets all data, secrets and logs of a stopped stack. Downloaded programs and the remembered ports stay.
 */
export async function startOver(dir: string): Promise<void> {
  const ports = new PortBook(path.join(dir, 'ports.json'));
  await removeComposeServers({ dir, ports });
  const home = serverHome(dir).dir;
  for (const name of readdirSync(home).filter((entry) => entry.endsWith('-data'))) {
    rmSync(path.join(home, name), { recursive: true, force: true });
  }
  for (const name of ['secrets.json', 'tenants.json', 'stack.json', 'logs']) {
    rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}
