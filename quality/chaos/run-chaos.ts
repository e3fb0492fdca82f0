import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PortBook, privateServers } from '@canvass/infra';
import type { ServiceEnvironments, Stack } from '@canvass/stack';
import type { ChaosArguments } from './arguments';
import { CheckerProcess } from './checker-process';
import { openLinks, type Links } from './links';
import { silenceAlarms, unlimitQueue } from './nemesis/broker-faults';
import { copyOf } from './nemesis/inflict';
import { unleash } from './nemesis/nemesis';
import { impatience, isShort, senderTimes } from './impatience';
import { jobQueueEnvironment } from './job-queue';
import { freshRunDir, leaveRunDir, startOwnStack } from './own-stack';
import { planOf, processNames, serverNames } from './plan';
import type { FaultRecord } from './records';
import type { Verdict } from './verdict/verdict';

export interface ChaosResult {
  verdict: Verdict;
  faults: FaultRecord[];
  startedAt: number;
  endedAt: number;
}

const progressEveryMs = 15_000;

/** One run: a stack of its own, changes and faults for the wanted time, then quiet and the comparison. */
export async function runChaos(
  wanted: ChaosArguments,
  say: (line: string) => void,
  interrupted: AbortSignal,
): Promise<ChaosResult> {
  const dir = await freshRunDir();
  const links = await openLinks(dir);
  const checker = new CheckerProcess();
  let stack: Stack | undefined;
  try {
    stack = await startOwnStack({
      dir,
      env: merged(links.env, impatience(wanted.seconds), jobQueueEnvironment(wanted.jobQueue)),
      seeded: wanted.seeded,
      say: (line) => interrupted.aborted || say(`  ${line}`),
    });
    return await rage(wanted, { stack, links, checker, dir }, say, interrupted);
  } finally {
    await checker.stop();
    await stack?.stop();
    await links.close();
    leaveRunDir(dir, wanted.keep);
  }
}

interface Stage {
  stack: Stack;
  links: Links;
  checker: CheckerProcess;
  dir: string;
}

async function rage(
  wanted: ChaosArguments,
  { stack, links, checker, dir }: Stage,
  say: (line: string) => void,
  interrupted: AbortSignal,
): Promise<ChaosResult> {
  const rabbit = privateServers({
    dir,
    ephemeral: false,
    postgresPassword: null,
    ports: new PortBook(path.join(dir, 'ports.json')),
  }).rabbitmq;
  const { file } = stack;
  await checker.begin({
    seed: wanted.seed,
    dir: path.join(dir, 'records'),
    gatewayUrl: file.gatewayUrl,
    databaseUrl: file.databaseUrl,
    amqpUrl: file.amqpUrl,
    amqpManagementUrl: file.amqpManagementUrl ?? '',
    tenantId: file.demo.tenantId,
    adminEmail: file.demo.adminEmail,
    adminPassword: file.demo.adminPassword,
    ...file.demo.serviceAccount,
    targetRate: wanted.targetRate,
    workers: wanted.workers,
    longestResendMs: isShort(wanted.seconds) ? null : 60_000,
  });
  const startedAt = Date.now();
  const plan = planOf(wanted.seed, wanted.seconds);
  say(
    `Changes and ${plan.length} faults for ${wanted.seconds} s (seed ${wanted.seed}, job queues ${wanted.jobQueue}) …`,
  );
  const over = new AbortController();
  const telling = tellProgress(checker, startedAt, say, over.signal);
  const rabbitmqctl = (...args: string[]) => rabbit.control(...args);
  const receiver = checker.receiver.bind(checker);
  const { leaseSeconds } = senderTimes(wanted.seconds);
  const victims = { stack, proxies: links.proxies, rabbitmqctl, receiver, leaseSeconds };
  const faults = await unleash(plan, victims, { say, signal: interrupted });
  const rest = startedAt + wanted.seconds * 1000 - Date.now();
  await sleep(Math.max(0, rest), undefined, { signal: interrupted }).catch(() => undefined);
  over.abort();
  await telling;
  await checker.cease();
  say('All is healed; waiting for quiet …');
  await heal({ stack, links, checker, dir }, rabbitmqctl);
  interrupted.throwIfAborted();
  const verdict = await checker.compare(faults);
  return { verdict, faults, startedAt, endedAt: Date.now() };
}

/** Whatever the nemesis may have left behind. */
async function heal(
  { stack, links }: Stage,
  rabbitmqctl: (...args: string[]) => Promise<void>,
): Promise<void> {
  for (const proxy of Object.values(links.proxies)) proxy.become('none');
  for (const name of processNames) if (copyOf(stack, name).pid !== null) stack.kill(name, 'SIGCONT');
  for (const name of serverNames) if (stack.infra[name].pid() !== null) stack.kill(name, 'SIGCONT');
  const managementUrl = stack.file.amqpManagementUrl;
  if (managementUrl !== null) await unlimitQueue(managementUrl);
  await silenceAlarms(rabbitmqctl);
}

async function tellProgress(
  checker: CheckerProcess,
  startedAt: number,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(progressEveryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const { acknowledged, refused, unknown, deliveries, events } = await checker.progress();
    const seconds = (Date.now() - startedAt) / 1000;
    say(
      `${seconds.toFixed(0).padStart(6)} s  ${acknowledged} changes acknowledged (${(acknowledged / seconds).toFixed(0)}/s), ` +
        `${refused} refused, ${unknown} unknown; ${events} events, ${deliveries} deliveries`,
    );
  }
}

function merged(...environments: ServiceEnvironments[]): ServiceEnvironments {
  const result: ServiceEnvironments = {};
  for (const environment of environments) {
    for (const name of Object.keys(environment) as (keyof ServiceEnvironments)[])
      result[name] = { ...result[name], ...environment[name] };
  }
  return result;
}
