import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@canvass/stack';
import type { ChaosArguments } from './arguments';
import { Checker } from './checker/checker';
import { carryOut } from './nemesis/faults';
import {
  linkNames,
  managementUrlOf,
  processNames,
  processOf,
  serverNames,
  type LinkName,
  type Targets,
} from './nemesis/targets';
import { planOf } from './plan';
import type { FaultRecord } from './records';
import { createProxies, startOwnStack } from './stack';
import type { Verdict } from './verdict/compare';

export interface ChaosResult {
  verdict: Verdict;
  faults: FaultRecord[];
  startedAt: number;
  endedAt: number;
}

type Say = (line: string) => void;

const progressEveryMs = 15_000;
const changesPerSecond = 150;

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
  const proxies = createProxies(dir);
  let stack: Stack | undefined;
  let checker: Checker | undefined;
  try {
    const ports = new Map<LinkName, number>();
    for (const name of linkNames) ports.set(name, await proxies[name].listen());
    const sayUntilEnd = (line: string) => interrupted.aborted || say(`  ${line}`);
    stack = await startOwnStack(dir, wanted, (link) => ports.get(link)!, sayUntilEnd);
    checker = new Checker({
      ...wanted,
      rate: changesPerSecond,
      stack: stack.file,
      managementUrl: managementUrlOf(stack),
    });
    return await inflictAndCompare(wanted, { stack, proxies, checker }, say, interrupted);
  } finally {
    await checker?.close();
    if (wanted.keep) checker?.write(dir);
    await stack?.stop();
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
  }
}

async function inflictAndCompare(
  { seed, seconds }: ChaosArguments,
  targets: Targets,
  say: Say,
  signal: AbortSignal,
): Promise<ChaosResult> {
  const { checker } = targets;
  await checker.start();
  const startedAt = Date.now();
  const plan = planOf(seed, seconds);
  say(`Changes and ${plan.length} faults for ${seconds} s (seed ${seed}) …`);
  const progress = setInterval(() => {
    const elapsed = (Date.now() - startedAt) / 1000;
    say(`${elapsed.toFixed(0).padStart(6)} s  ${checker.progress(elapsed)}`);
  }, progressEveryMs);
  try {
    const faults = await carryOut(plan, targets, { say, signal });
    const rest = startedAt + seconds * 1000 - Date.now();
    await sleep(Math.max(0, rest), undefined, { signal }).catch(() => undefined);
    clearInterval(progress);
    await checker.stop();
    say('All faults are over; waiting until all work is done …');
    heal(targets);
    signal.throwIfAborted();
    const verdict = await checker.compare();
    return { verdict, faults, startedAt, endedAt: Date.now() };
  } finally {
    clearInterval(progress);
  }
}

/** Ends everything that a fault may have left. */
function heal({ stack, proxies }: Targets): void {
  for (const proxy of Object.values(proxies)) proxy.become('none');
  for (const name of processNames) if (processOf(stack, name).pid !== null) stack.kill(name, 'SIGCONT');
  for (const name of serverNames) if (stack.infra[name].pid() !== null) stack.kill(name, 'SIGCONT');
}
