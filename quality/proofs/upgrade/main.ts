/**
 * Replaces every process of a stack by that of another build, one after the other, under load: from an
 * earlier commit to this checkout, back, and forward again. Each service has two replicas. Passes if no request
 * failed, every process exited with 0, and every completed submission was delivered. `upgrade [REF]`: the
 * earlier commit; by default the newest tag.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import { serviceNames, type ServiceName, type Stack } from '@canvass/stack';
import { buildOf } from '../../earlier-build';
import { proveOnStack } from '../private-stack';
import { SteadyLoad } from '../rolling/steady-load';

const earlier = buildOf(process.argv[2] ?? null);
const [from, to] = [earlier.commit.slice(0, 12), 'this checkout'];
const hosting = { Service__Hosting__DrainSeconds: '2', Service__Hosting__ShutdownSeconds: '20' };
/** The load creates more accounts than a tenant gets by default. */
const quotas = { Service__Quotas__ServiceAccounts: '0' };

/** Links to the bundles, which a process follows when it starts. */
const links = mkdtempSync(path.join(os.tmpdir(), 'canvass-upgrade-'));
process.on('exit', () => rmSync(links, { recursive: true }));

function choose(build: string, service: ServiceName): void {
  const bundle = build === from ? earlier.bundleOf(service) : path.join(checkoutDir, 'dist/apps', service);
  rmSync(path.join(links, service), { force: true });
  symlinkSync(bundle, path.join(links, service));
}

async function prove(stack: Stack): Promise<boolean> {
  const load = await SteadyLoad.on(stack);
  await load.start();
  for (const build of [to, from, to]) {
    console.log(`to ${build}`);
    for (const service of serviceNames) {
      choose(build, service);
      for (const name of [service, `${service}-2`]) await load.restart(name);
    }
  }
  const isServed = await load.holds();
  await load.close();
  return isServed;
}

for (const service of serviceNames) choose(from, service);
const each = <T>(value: (service: ServiceName) => T) =>
  Object.fromEntries(serviceNames.map((service) => [service, value(service)])) as Record<ServiceName, T>;

proveOnStack(
  'upgrade',
  {
    replicas: each(() => 2),
    env: { ...each(() => hosting), 'identity-svc': { ...hosting, ...quotas } },
    programs: each((service) => path.join(links, service, 'main.js')),
  },
  prove,
);
