/**
 * Restarts every process of a stack in which each service and the gateway have two replicas, one after the
 * other, while clients read and write continuously. Passes if no request failed, every process exited with 0
 * within `ShutdownSeconds`, and every completed submission was delivered; if clients that follow live events
 * missed none, got none of another tenant and none after their permissions were taken away; and if requests do
 * fail while processes are killed instead, because otherwise the check would see nothing. `--short`: only
 * submissions-svc has two replicas.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames, type ServiceName, type Stack } from '@canvass/stack';
import { eventually, webhookSink } from '@canvass/testing';
import { proveOnStack } from '../private-stack';
import { Balancer } from './balancer';
import { LiveEvents } from './live-events';
import { creating, operationsOf, SteadyLoad, type Operation } from './steady-load';

const isShort = process.argv.includes('--short');
const restarted: readonly ServiceName[] = isShort ? ['submissions-svc'] : serviceNames;
/**
 * The short form is part of `npm test`: on a slow machine it takes time to notice that a process is stopping.
 */
const drainSeconds = isShort ? 4 : 2;
const shutdownSeconds = 20;
/** Clients at the same time and their pause between two requests: no more load than two cores can take. */
const [lanes, pauseMs] = [6, 30];
/** Writes one after the other in each lane: some are in progress whenever a process is killed. */
const [controlLanes, mostKills] = [16, 5];
const mostPrinted = 20;
/** Of each operation, before the first restart. */
const warmUps = 5;
const hosting = {
  Service__Hosting__DrainSeconds: `${drainSeconds}`,
  Service__Hosting__ShutdownSeconds: `${shutdownSeconds}`,
};

async function prove(stack: Stack): Promise<boolean> {
  const { gatewayUrl, replicas, demo } = stack.file;
  const sink = await webhookSink();
  const balancer = new Balancer([gatewayUrl, ...(replicas.gateway ?? []).map(({ url }) => url)]);
  const hook = { Url: `${sink.url}/hook`, Authentication: { Type: 'None' } };
  const settings = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } };
  const clientOf = (token?: string) => balancer.client(token);
  const operations = await operationsOf(clientOf, gatewayUrl, demo, JSON.stringify(settings));
  const live = await LiveEvents.create({ clientOf, gatewayUrl, origin: balancer.origin, demo });
  await live.start();
  const all = [...operations, ...live.operations()];
  const load = new SteadyLoad(all);
  load.start(lanes, pauseMs);
  // Every replica has verified a token: a new one cannot while the replica with the keys is restarted.
  const isWarm = () => all.every(({ name }) => (load.counts.get(name) ?? 0) >= warmUps);
  await eventually(isWarm, { timeoutMs: 120_000 });

  let badExits = 0;
  const processes = restarted.flatMap((service) => [service, `${service}-2`]);
  for (const [n, name] of processes.entries()) {
    if (n === processes.length / 2) await live.takePermission();
    load.during = name;
    const before = load.total;
    const { exitCode, seconds } = await stack.restart(name);
    await sleep(1_000); // the new process gets requests before the next one stops
    if (exitCode !== 0 || seconds > shutdownSeconds) badExits += 1;
    const meanwhile = `${load.total - before} requests meanwhile`;
    console.log(`  ${name.padEnd(20)} exited with ${exitCode} after ${seconds.toFixed(1)} s; ${meanwhile}`);
  }
  await load.stop();
  for (const { operation, reason, during } of load.failures.slice(0, mostPrinted))
    console.log(`    FAILED (started while ${during} was restarted): ${operation}: ${reason}`);

  const failedCreates = load.failures.filter(({ operation }) => operation === creating).length;
  const expected = (load.counts.get(creating) ?? 0) - failedCreates;
  const delivered = () => new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => delivered() >= expected, { timeoutMs: 60_000 }).catch(() => undefined);
  console.log(
    `${load.total} requests, ${load.failures.length} failed, ${balancer.refused} sent to the other gateway; ` +
      `${delivered()} of ${expected} completed submissions delivered; ${badExits} bad exits`,
  );
  const isInformed = await live.verify(!isShort);
  await live.stop();
  const holds = load.failures.length + badExits === 0 && delivered() >= expected && isInformed;
  const canFail = await seesKills(stack, operations);
  await balancer.close();
  await sink.close();
  return holds && canFail;
}

/** The negative control: requests must be seen to fail when replicas are killed instead of stopped. */
async function seesKills(stack: Stack, operations: readonly Operation[]): Promise<boolean> {
  const load = new SteadyLoad(operations.filter(({ name }) => name === creating));
  load.start(controlLanes, 0);
  let kills = 0;
  for (; load.failures.length === 0 && kills < mostKills; kills += 1) {
    await sleep(500);
    await stack.restart(kills % 2 === 0 ? 'submissions-svc' : 'submissions-svc-2', 'SIGKILL');
  }
  await load.stop();
  const failed = load.failures.length;
  console.log(
    `control: ${kills} killed instead of stopped: ${failed} of ${load.total} requests failed (wanted: some)`,
  );
  return failed > 0;
}

const each = <T>(names: readonly ServiceName[], value: T): Partial<Record<ServiceName, T>> =>
  Object.fromEntries(names.map((name) => [name, value]));

proveOnStack('rolling', { replicas: each(restarted, 2), env: each(serviceNames, hosting) }, prove);
