import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@canvass/stack';
import type { Fault, LinkName, ProcessName } from '../plan';
import type { FaultRecord } from '../records';
import type { FaultyProxy } from '@canvass/testing';
import {
  brokerAnswers,
  closeAllConnections,
  limitQueue,
  soundAlarm,
  unlimitQueue,
  type BrokerControl,
} from './broker-faults';
import { holdTransaction, leasedAt, postgresAnswers, terminateBackends } from './database-faults';

/** What the nemesis can lay hands on. */
export interface Victims {
  stack: Stack;
  proxies: Record<LinkName, FaultyProxy>;
  rabbitmqctl: BrokerControl;
  receiver(endpoint: number, how: 'well' | 'fail' | 'hang' | 'drip'): void;
  /** For how long a sender has a delivery. */
  leaseSeconds: number;
}

/** Carries one fault out and heals it; resolves when the component is there again. What else is worth knowing goes into `record`. */
export async function inflict(
  fault: Fault,
  victims: Victims,
  signal: AbortSignal,
  record: Pick<FaultRecord, 'leased'>,
): Promise<void> {
  const { stack, proxies } = victims;
  switch (fault.kind) {
    case 'kill': {
      const back = killed(stack, fault.process, signal);
      if (fault.process.startsWith('webhook-relay-svc')) {
        // Without the list nothing is measured of this kill; that is not a failure of the kill.
        record.leased = await leasedAt(stack.file.databaseUrl, Date.now(), victims.leaseSeconds).catch(
          () => [],
        );
      }
      return back;
    }
    case 'pause':
      stack.kill(fault.process, 'SIGSTOP');
      await sleep(fault.ms);
      stack.kill(fault.process, 'SIGCONT');
      return;
    case 'rabbitmq-restart':
      if (fault.how === 'stop') return stack.infra.rabbitmq.restart();
      return killedServer(stack, 'rabbitmq', 'SIGKILL', signal);
    case 'postgres-restart':
      if (fault.how === 'fast') return stack.infra.postgres.restart();
      return killedServer(stack, 'postgres', fault.how === 'kill' ? 'SIGKILL' : 'SIGQUIT', signal);
    case 'close-connections':
      return closeAllConnections(managementUrl(stack));
    case 'alarm':
      return soundAlarm(victims.rabbitmqctl, fault.of, fault.ms);
    case 'terminate-backends':
      return terminateBackends(stack.file.databaseUrl, fault.role);
    case 'link':
      proxies[fault.link].become(fault.how);
      await sleep(fault.ms);
      proxies[fault.link].become('none');
      return;
    case 'queue-full':
      return queueFull(stack, fault.ms);
    case 'idle-transaction':
      return holdTransaction(stack.file.databaseUrl, fault.holds, fault.ms);
    case 'receiver':
      victims.receiver(fault.endpoint, fault.how);
      await sleep(fault.ms);
      victims.receiver(fault.endpoint, 'well');
      return;
  }
}

/** The consumers stand still, so that the queue, which may hold next to nothing, is full. */
async function queueFull(stack: Stack, ms: number): Promise<void> {
  const relays: ProcessName[] = ['webhook-relay-svc', 'webhook-relay-svc-2'];
  await limitQueue(managementUrl(stack), 'webhook.events', 3);
  try {
    for (const relay of relays) stack.kill(relay, 'SIGSTOP');
    await sleep(ms);
  } finally {
    for (const relay of relays) stack.kill(relay, 'SIGCONT');
    await unlimitQueue(managementUrl(stack));
  }
}

/** Kills a process; back when another one answers that it is ready. */
async function killed(stack: Stack, name: ProcessName, signal: AbortSignal): Promise<void> {
  const before = copyOf(stack, name);
  stack.kill(name, 'SIGKILL');
  for (;;) {
    const { pid, url } = copyOf(stack, name);
    if (pid !== null && pid !== before.pid && (await isReady(url))) return;
    signal.throwIfAborted();
    await sleep(50);
  }
}

/** Sends a server a signal it dies of; back when the supervisor's next one answers. */
async function killedServer(
  stack: Stack,
  name: 'postgres' | 'rabbitmq',
  how: NodeJS.Signals,
  signal: AbortSignal,
): Promise<void> {
  const server = stack.infra[name];
  const before = server.pid();
  stack.kill(name, how);
  for (;;) {
    await sleep(50);
    signal.throwIfAborted();
    const now = server.pid();
    if (now === null || now === before) continue;
    const answers = name === 'postgres' ? postgresAnswers(server.url) : brokerAnswers(managementUrl(stack));
    if (await answers) return;
  }
}

export function copyOf(stack: Stack, name: ProcessName): { pid: number | null; url: string } {
  const { services, replicas } = stack.file;
  const [, service = name, number] = /^(.*?)(?:-(\d))?$/.exec(name) ?? [];
  const key = service as keyof typeof services;
  const copy = number === undefined ? services[key] : replicas[key]?.[Number(number) - 2];
  if (!copy) throw new Error(`there is no process ${name}`);
  return copy;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1_000) });
    await answer.text();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function managementUrl(stack: Stack): string {
  const url = stack.file.amqpManagementUrl;
  if (url === null) throw new Error('the broker has no management API');
  return url;
}
