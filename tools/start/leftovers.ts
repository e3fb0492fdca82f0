import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PidFile, terminate } from '../infra';
import { serviceNames } from './services';
import { stackFileIn } from './stack-file';

/**
 * Ends the service processes of a supervisor that was killed before it could: nobody watches them any more.
 * The servers behind them are left to whoever starts or stops those.
 */
export async function endLeftoverServices(dir: string): Promise<number> {
  const run = path.join(dir, 'run');
  const names = readdirSync(run, { withFileTypes: true })
    .map((entry) => entry.name)
    .filter((name) => serviceNames.some((service) => new RegExp(`^${service}(-\\d)?\\.json$`).test(name)));
  const files = names.map((name) => new PidFile(path.join(run, name)));
  const living = files.map((file) => file.live()).filter((record) => record !== null);
  await Promise.all(living.map((record) => terminate(record, [['SIGTERM', 10_000]])));
  for (const file of files) file.remove();
  rmSync(stackFileIn(dir), { force: true });
  return living.length;
}
