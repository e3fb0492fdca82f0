/**
 * Replaces every process of a stack by that of another build, one after the other, under load: from an
 * earlier commit to this checkout, back, and forward again. Each service has two replicas. Passes if no request
 * failed, every process exited with 0, and every completed submission was delivered. `upgrade [REF]`: the
 * earlier commit; by default the newest tag.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutDir } from '@canvass/infra';
import { serviceNames, type ServiceName, type Stack } from '@canvass/stack';
import { eventually, webhookSink } from '@canvass/testing';
import { proveOnStack } from '../private-stack';
import { Balancer } from '../rolling/balancer';
import { creating, operationsOf, SteadyLoad } from '../rolling/steady-load';
import { buildOf } from '../../earlier-build';

const [lanes, pauseMs] = [6, 30];
const warmUps = 5;
const mostPrinted = 20;
const deliveryMs = 60_000;

const earlier = buildOf(process.argv[2] ?? null);
const builds = {
  [`${earlier.commit.slice(0, 12)}`]: earlier.bundleOf,
  'this checkout': (service: ServiceName) => path.join(checkoutDir, 'dist/apps', service),
};
const [from, to] = Object.keys(builds) as [string, string];

const hosting = { Service__Hosting__DrainSeconds: '2', Service__Hosting__ShutdownSeconds: '20' };
/** The load creates more accounts than a tenant gets by default. */
const quotas = { Service__Quotas__ServiceAccounts: '0' };

/** Links to the bundles, which a process follows when it starts. */
const links = mkdtempSync(path.join(os.tmpdir(), 'canvass-upgrade-'));
process.on('exit', () => rmSync(links, { recursive: true }));

function choose(build: string, service: ServiceName): void {
  rmSync(path.join(links, service), { force: true });
  symlinkSync(builds[build]!(service), path.join(links, service));
}

async function prove(stack: Stack): Promise<boolean> {
  const { gatewayUrl, replicas, demo } = stack.file;
  const sink = await webhookSink();
  const balancer = new Balancer([gatewayUrl, ...(replicas.gateway ?? []).map(({ url }) => url)]);
  const hook = { Url: `${sink.url}/hook`, Authentication: { Type: 'None' } };
  const webhooks = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } };
  const clientOf = (token?: string) => balancer.client(token);
  const operations = await operationsOf(clientOf, gatewayUrl, demo, JSON.stringify(webhooks));
  const load = new SteadyLoad(operations);
  load.start(lanes, pauseMs);
  const isWarm = () => operations.every(({ name }) => (load.counts.get(name) ?? 0) >= warmUps);
  await eventually(isWarm, { timeoutMs: 120_000 });

  let badExits = 0;
  for (const build of [to, from, to]) {
    const [failed, total, started] = [load.failures.length, load.total, performance.now()];
    for (const service of serviceNames) {
      choose(build, service);
      for (const name of [service, `${service}-2`]) {
        load.during = `${name} to ${build}`;
        const { exitCode } = await stack.restart(name);
        if (exitCode !== 0) badExits += 1;
        await sleep(1_000); // the new process gets requests before the next one stops
      }
    }
    console.log(
      `  to ${build.padEnd(13)} ${load.total - total} requests, ${load.failures.length - failed} failed, ` +
        `${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
  }
  await load.stop();
  for (const { operation, reason, during } of load.failures.slice(0, mostPrinted))
    console.log(`    FAILED (started during ${during}): ${operation}: ${reason}`);

  const failedCreates = load.failures.filter(({ operation }) => operation === creating).length;
  const expected = (load.counts.get(creating) ?? 0) - failedCreates;
  const delivered = () => new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => delivered() >= expected, { timeoutMs: deliveryMs }).catch(() => undefined);
  console.log(
    `${load.total} requests, ${load.failures.length} failed; ${delivered()} of ${expected} completed ` +
      `submissions delivered; ${badExits} bad exits`,
  );
  await balancer.close();
  await sink.close();
  return load.failures.length + badExits === 0 && delivered() >= expected;
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
