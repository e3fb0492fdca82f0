/**
 * Restarts every process of a stack in which each service and the gateway have two copies, one after the other, while
 * clients read and write without a pause. Passes when no request failed, every process ended with 0 within
 * `ShutdownSeconds`, and every completed submission was delivered; and when requests do fail while processes are
 * killed instead, because else the check would see nothing. `--short`: submissions-svc alone has two copies.
 */
import { eventually, webhookSink } from '@canvass/testing';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localDir } from '@canvass/infra';
import { buildApps, type ServiceName, serviceNames, startStack } from '@canvass/stack';
import { BalancedClient } from './balanced-client';
import { operationsOf, SteadyLoad, type Operation } from './steady-load';

const isShort = process.argv.includes('--short');
const restarted: readonly ServiceName[] = isShort ? ['submissions-svc'] : serviceNames;
/** The short form has a place in `npm test`: a slow machine needs time to see that a process is stopping. */
const drainSeconds = isShort ? 4 : 2;
const shutdownSeconds = 20;
/** Clients at the same time, and how long each waits between two requests: steady, and no more than two cores can take. */
const [lanes, pauseMs] = [6, 30];
/** Writes that nobody repeats, one after the other in each lane: some are under way whenever a process is killed. */
const [controlLanes, mostKills] = [16, 5];
const creating = 'create a completed submission';
const mostTold = 20;
/** Of each operation, before the first restart. */
const warmUps = 5;
const hosting = {
  Service__Hosting__DrainSeconds: `${drainSeconds}`,
  Service__Hosting__ShutdownSeconds: `${shutdownSeconds}`,
};
const each = <T>(names: readonly ServiceName[], value: T) =>
  Object.fromEntries(names.map((name) => [name, value])) as Partial<Record<ServiceName, T>>;

async function main(): Promise<number> {
  const dir = path.join(localDir, `rolling-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  const stack = await startStack({
    dir,
    ephemeral: true,
    privateServers: true,
    replicas: each(restarted, 2),
    env: each(serviceNames, hosting),
    prepare: buildApps,
    say: (line) => console.log(line),
  });
  const sink = await webhookSink();
  try {
    return await prove(stack, sink);
  } finally {
    await sink.close();
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

type Stack = Awaited<ReturnType<typeof startStack>>;

async function prove(stack: Stack, sink: Awaited<ReturnType<typeof webhookSink>>): Promise<number> {
  const { gatewayUrl, replicas, demo } = stack.file;
  const client = new BalancedClient([gatewayUrl, ...(replicas.gateway ?? []).map(({ url }) => url)]);
  const hook = { Url: `${sink.url}/hook`, Authentication: { Type: 'None' } };
  const { operations } = await operationsOf(
    client,
    { email: demo.adminEmail, password: demo.adminPassword },
    JSON.stringify({ Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: [hook] } } }),
  );
  const load = new SteadyLoad(operations);
  load.start(lanes, pauseMs);
  // Every copy has verified a token: one that has just started cannot while the copy that has the keys is away.
  await eventually(() => operations.every(({ name }) => (load.counts.get(name) ?? 0) >= warmUps), {
    timeoutMs: 120_000,
  });

  let [badEndings, told] = [0, 0];
  for (const name of restarted.flatMap((service) => [service, `${service}-2`])) {
    load.during = name;
    const before = load.total;
    const { exitCode, seconds } = await stack.restart(name);
    await sleep(1_000); // the new one takes its part before the next one leaves
    const good = exitCode === 0 && seconds <= shutdownSeconds;
    if (!good) badEndings += 1;
    console.log(
      `  ${name.padEnd(20)} ended with ${exitCode} after ${seconds.toFixed(1)} s; ${load.total - before} requests meanwhile`,
    );
    for (; told < Math.min(load.failures.length, mostTold); told += 1) {
      const { operation, reason, during } = load.failures[told]!;
      console.log(`    FAILED (begun while ${during} was restarted): ${operation}: ${reason}`);
    }
  }
  await load.stop();

  const created = load.counts.get(creating) ?? 0;
  const failedCreates = load.failures.filter(({ operation }) => operation === creating);
  const expected = created - failedCreates.length;
  const delivered = () => new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => delivered() >= expected, { timeoutMs: 60_000 }).catch(() => undefined);

  console.log(
    `${load.total} requests, ${load.failures.length} failed, ${client.refused} taken to the other gateway; ` +
      `${delivered()} of ${expected} completed submissions delivered; ${badEndings} bad endings`,
  );
  const holds = load.failures.length + badEndings === 0 && delivered() >= expected;
  const canFail = await seesKills(stack, operations);
  await client.close();
  return holds && canFail ? 0 : 1;
}

/** The negative control: whether requests are seen to fail when copies are killed instead of stopped. */
async function seesKills(stack: Stack, operations: readonly Operation[]): Promise<boolean> {
  const load = new SteadyLoad(operations.filter(({ name }) => name === creating));
  load.start(controlLanes, 0);
  let kills = 0;
  while (load.failures.length === 0 && kills < mostKills) {
    await sleep(500);
    await stack.restart(kills % 2 === 0 ? 'submissions-svc' : 'submissions-svc-2', 'SIGKILL');
    kills += 1;
  }
  await load.stop();
  const failed = load.failures.length;
  console.log(
    `control: ${kills} killed instead of stopped: ${failed} of ${load.total} requests failed (wanted: some)`,
  );
  return failed > 0;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
