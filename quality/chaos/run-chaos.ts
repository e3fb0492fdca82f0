import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PortBook, privateServers } from '@canvass/infra';
import type { Stack } from '@canvass/stack';
import type { ChaosArguments } from './arguments';
import { Checker } from './checker/checker';
import { findFailpoints } from './failpoints/points';
import { clearAlarms, unlimitQueue } from './nemesis/broker-faults';
import { repairDamagedQueues } from './nemesis/damaged-queues';
import { makeReadOnly, refuseSessions } from './nemesis/database-faults';
import { failpointPlan } from './nemesis/failpoints';
import { NameServer } from './nemesis/name-server';
import { carryOut } from './nemesis/nemesis';
import {
  databaseRoles,
  linkNames,
  managementUrlOf,
  processNames,
  processOf,
  serverNames,
  type Targets,
} from './nemesis/targets';
import { createProxies, startOwnStack } from './own-stack';
import { idleWriterPlan, planOf } from './plan';
import { clockFile, preloadSettings } from './preload/build-preload';
import type { FaultRecord } from './records';
import {
  failpointSettings,
  fastRetrySettings,
  isShort,
  jobQueueSettings,
  leaseSecondsFor,
  merge,
  proxySettings,
} from './stack-settings';
import type { Verdict } from './verdict/compare';

export interface ChaosResult {
  verdict: Verdict;
  faults: FaultRecord[];
  startedAt: number;
  endedAt: number;
}

type Say = (line: string) => void;

const progressEveryMs = 15_000;

/**
 * One run: a stack of its own, changes and faults for the wanted time, then the wait for all work and the
 * comparison.
 */
export async function runChaos(
  dir: string,
  wanted: ChaosArguments,
  say: Say,
  interrupted: AbortSignal,
): Promise<ChaosResult> {
  const moved = new Map<string, number>();
  const proxies = createProxies(dir, moved);
  const nameServer = await NameServer.listen();
  let stack: Stack | undefined;
  let checker: Checker | undefined;
  try {
    const ports = new Map(
      await Promise.all(linkNames.map(async (name) => [name, await proxies[name].listen()] as const)),
    );
    const { seconds, jobQueue, seeded, failpoints } = wanted;
    // Rates with an idle writer are those of services as they are configured by default.
    const env = wanted.idleWriter
      ? preloadSettings(dir, nameServer.address)
      : merge(
          preloadSettings(dir, nameServer.address),
          proxySettings(dir, (link) => ports.get(link)!),
          fastRetrySettings(seconds),
          jobQueueSettings(jobQueue),
          failpoints ? failpointSettings(dir) : {},
        );
    stack = await startOwnStack({
      dir,
      env,
      seeded,
      failpoints,
      say: (line) => interrupted.aborted || say(`  ${line}`),
    });
    checker = new Checker({
      seed: wanted.seed,
      stack: stack.file,
      managementUrl: managementUrlOf(stack),
      rate: wanted.rate,
      workers: wanted.workers,
      steady: wanted.idleWriter,
      longestResendMs: isShort(seconds) ? null : 60_000,
      logs: path.join(dir, 'logs'),
      demand: wanted.idleWriter || failpoints ? 'none' : isShort(seconds) ? 'any' : 'long',
    });
    const { rabbitmq } = privateServers({
      dir,
      ephemeral: false,
      postgresPassword: null,
      ports: new PortBook(path.join(dir, 'ports.json')),
    });
    const rabbitmqctl = (...args: string[]) => rabbitmq.control(...args);
    const leaseSeconds = leaseSecondsFor(seconds);
    const targets = { dir, moved, stack, proxies, checker, nameServer, rabbitmqctl, leaseSeconds };
    return await inflictAndCompare(wanted, targets, say, interrupted);
  } finally {
    await checker?.close();
    if (wanted.keep) checker?.write(path.join(dir, 'records'));
    await stack?.stop();
    nameServer.close();
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
  }
}

async function inflictAndCompare(
  wanted: ChaosArguments,
  targets: Targets,
  say: Say,
  signal: AbortSignal,
): Promise<ChaosResult> {
  const { checker } = targets;
  await checker.start();
  const startedAt = Date.now();
  const { plan, seconds } = planFor(wanted);
  const faultsAre = plan.length === 1 ? 'one fault' : `${plan.length} faults`;
  say(`Changes and ${faultsAre} for ${seconds} s (seed ${wanted.seed}, job queues ${wanted.jobQueue}) …`);
  const progress = setInterval(() => {
    const elapsed = (Date.now() - startedAt) / 1000;
    say(`${elapsed.toFixed(0).padStart(6)} s  ${checker.progress(elapsed)}`);
  }, progressEveryMs);
  const repairs = repairDamagedQueues(targets, say);
  try {
    const planned = await carryOut(plan, targets, { say, signal });
    const rest = startedAt + seconds * 1000 - Date.now();
    await sleep(Math.max(0, rest), undefined, { signal }).catch(() => undefined);
    clearInterval(progress);
    await checker.stop();
    say('All faults are over; waiting until all work is done …');
    await heal(targets);
    signal.throwIfAborted();
    const faults = [...planned, ...repairs.records];
    const verdict = await checker.compare(faults);
    return { verdict, faults, startedAt, endedAt: Date.now() };
  } finally {
    clearInterval(progress);
    await repairs.stop();
  }
}

function planFor({ idleWriter, failpoints, seed, seconds }: ChaosArguments) {
  if (idleWriter) return idleWriterPlan(seconds);
  const names = failpoints ? findFailpoints().map(({ name }) => name) : [];
  return { plan: failpoints ? failpointPlan(seed, names) : planOf(seed, seconds), seconds };
}

/** Ends everything that a fault may have left. */
async function heal({ dir, stack, proxies, nameServer, rabbitmqctl }: Targets): Promise<void> {
  for (const proxy of Object.values(proxies)) proxy.become('none');
  nameServer.become('normal');
  for (const name of processNames) rmSync(clockFile(dir, name), { force: true });
  for (const name of processNames) if (processOf(stack, name).pid !== null) stack.kill(name, 'SIGCONT');
  for (const name of serverNames) if (stack.infra[name].pid() !== null) stack.kill(name, 'SIGCONT');
  await makeReadOnly(stack.file.databaseUrl, false);
  for (const role of databaseRoles) await refuseSessions(stack.file.databaseUrl, role, false);
  await unlimitQueue(managementUrlOf(stack));
  await clearAlarms(rabbitmqctl);
}
