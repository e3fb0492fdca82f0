import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clockFile } from '../preload/build-preload';
import type { FaultRecord } from '../records';
import { closeAllConnections, isServingAmqp, limitQueue, raiseAlarm, unlimitQueue } from './broker-faults';
import {
  answersQueries,
  holdTransaction,
  leasedAt,
  makeReadOnly,
  refuseSessions,
  terminateSessions,
} from './database-faults';
import {
  managementUrlOf,
  processOf,
  type DatabaseRole,
  type LinkName,
  type ProcessName,
  type ServerName,
  type Targets,
} from './targets';

/** One fault. `inflict` carries it out, ends it, and resolves when the component is back. */
export interface Fault {
  kind: string;
  /** One line for a reader. */
  description: string;
  /** Faults of the same resource follow one another. */
  resource: string;
  /** How long it lasts by itself, in milliseconds; absent if that is short. */
  lastsMs?: number;
  inflict(targets: Targets, record: FaultRecord): Promise<unknown>;
}

const fault = (kind: string, resource: string, description: string, inflict: Fault['inflict']): Fault => ({
  kind,
  description,
  resource,
  inflict,
});

/**
 * SIGKILL; back when the supervisor's next process is ready. For a relay, the leases of that moment are
 * recorded.
 */
export const kill = (name: ProcessName): Fault =>
  fault('kill', name, `SIGKILL ${name}`, async ({ stack, leaseSeconds }, record) => {
    const before = processOf(stack, name).pid;
    stack.kill(name, 'SIGKILL');
    const back = until(async () => {
      const { pid, url } = processOf(stack, name);
      return pid !== null && pid !== before && (await isReady(url));
    });
    if (name.startsWith('webhook-relay-svc')) {
      // Without the list this kill is not measured. That is no failure of the kill.
      record.leased = await leasedAt(stack.file.databaseUrl, Date.now(), leaseSeconds).catch(() => []);
    }
    await back;
  });

/** SIGSTOP for some time. */
export const pause = (name: ProcessName | ServerName, ms: number): Fault =>
  fault('pause', name, `SIGSTOP ${name} for ${ms} ms`, async ({ stack }) => {
    stack.kill(name, 'SIGSTOP');
    await sleep(ms);
    stack.kill(name, 'SIGCONT');
  });

export function rabbitmqRestart(how: 'stop' | 'kill'): Fault {
  const description = { stop: 'RabbitMQ stopped and started', kill: 'RabbitMQ killed (SIGKILL)' }[how];
  return fault('rabbitmq-restart', 'rabbitmq', description, (targets) =>
    how === 'stop' ? targets.stack.infra.rabbitmq.restart() : killServer(targets, 'rabbitmq', 'SIGKILL'),
  );
}

export function postgresRestart(how: 'fast' | 'immediate' | 'kill'): Fault {
  const description = {
    fast: 'Postgres stopped (fast) and started',
    immediate: 'Postgres stopped at once (SIGQUIT)',
    kill: 'Postgres killed (SIGKILL)',
  }[how];
  return fault('postgres-restart', 'postgres', description, (targets) =>
    how === 'fast'
      ? targets.stack.infra.postgres.restart()
      : killServer(targets, 'postgres', how === 'kill' ? 'SIGKILL' : 'SIGQUIT'),
  );
}

export const closeConnections = (): Fault =>
  fault('close-connections', 'rabbitmq', 'all broker connections closed', ({ stack }) =>
    closeAllConnections(managementUrlOf(stack)),
  );

export const alarm = (of: 'memory' | 'disk', ms: number): Fault =>
  fault('alarm', 'rabbitmq', `${of} alarm of the broker for ${ms} ms`, ({ rabbitmqctl }) =>
    raiseAlarm(rabbitmqctl, of, ms),
  );

export const terminateBackends = (role: DatabaseRole): Fault =>
  fault('terminate-backends', 'postgres', `all backends of ${role} terminated`, ({ stack }) =>
    terminateSessions(stack.file.databaseUrl, role),
  );

export function link(name: LinkName, how: 'cut' | 'stall' | 'delay', ms: number): Fault {
  const does = { cut: 'cut', stall: 'swallows packets', delay: 'slow' }[how];
  return fault('link', name, `${name} ${does} for ${ms} ms`, async ({ proxies }) => {
    proxies[name].become(how);
    await sleep(ms);
    proxies[name].become('none');
  });
}

/** A queue limited to almost nothing is full while its consumers are stopped. */
export const queueFull = (ms: number): Fault =>
  fault('queue-full', 'rabbitmq', `webhook.events full for ${ms} ms`, async ({ stack }) => {
    const relays: ProcessName[] = ['webhook-relay-svc', 'webhook-relay-svc-2'];
    await limitQueue(managementUrlOf(stack), 'webhook.events', 3);
    try {
      for (const relay of relays) stack.kill(relay, 'SIGSTOP');
      await sleep(ms);
    } finally {
      for (const relay of relays) stack.kill(relay, 'SIGCONT');
      await unlimitQueue(managementUrlOf(stack));
    }
  });

/** What one process sends to a server, or gets from it, is lost without an error. */
export const partition = (name: LinkName, direction: 'out' | 'in', ms: number): Fault => ({
  kind: 'partition',
  description: `${name} silent ${direction === 'out' ? 'to' : 'from'} the server for ${ms} ms`,
  resource: name,
  lastsMs: ms,
  async inflict({ proxies }) {
    proxies[name].become(direction === 'out' ? 'silent-out' : 'silent-in');
    await sleep(ms);
    proxies[name].become('none');
  },
});

export const readOnly = (ms: number): Fault =>
  fault('read-only', 'postgres', `Postgres read-only for ${ms} ms`, async ({ stack }) => {
    const { databaseUrl } = stack.file;
    await makeReadOnly(databaseUrl, true);
    await sleep(ms);
    await makeReadOnly(databaseUrl, false);
  });

export const noConnections = (role: DatabaseRole, ms: number): Fault =>
  fault('no-connections', 'postgres', `no connections for ${role} for ${ms} ms`, async ({ stack }) => {
    const { databaseUrl } = stack.file;
    await refuseSessions(databaseUrl, role, true);
    await sleep(ms);
    await refuseSessions(databaseUrl, role, false);
  });

export const idleTransaction = (holds: 'snapshot' | 'lock', ms: number): Fault =>
  fault('idle-transaction', 'postgres', `idle transaction holds a ${holds} for ${ms} ms`, ({ stack }) =>
    holdTransaction(stack.file.databaseUrl, holds, ms),
  );

/** `fail` answers 500, `hang` does not answer, `drip` never ends its answer. */
export function receiver(endpoint: number, how: 'fail' | 'hang' | 'drip', ms: number): Fault {
  const name = `receiver ${endpoint}`;
  const does = { fail: 'answers 500', hang: 'hangs', drip: 'drips' }[how];
  return fault('receiver', name, `${name} ${does} for ${ms} ms`, async ({ checker }) => {
    checker.receivers.become(endpoint, how);
    await sleep(ms);
    checker.receivers.become(endpoint, 'normal');
  });
}

/** The clock of one process differs; that of Postgres stays. */
export const stepClock = (name: ProcessName, offsetMs: number, ms: number): Fault =>
  fault('clock', `clock of ${name}`, `clock of ${name} ${offsetMs} ms for ${ms} ms`, async ({ dir }) => {
    writeFileSync(clockFile(dir, name), String(offsetMs));
    await sleep(ms);
    rmSync(clockFile(dir, name));
  });

/** Names of receivers cannot be looked up: `fail` answers SERVFAIL, `mute` does not answer. */
export const failNames = (how: 'fail' | 'mute', ms: number): Fault => ({
  kind: 'dns',
  description: `the name server ${how === 'fail' ? 'fails' : 'is mute'} for ${ms} ms`,
  resource: 'name server',
  lastsMs: ms,
  async inflict({ nameServer }) {
    nameServer.become(how);
    await sleep(ms);
    nameServer.become('normal');
  },
});

/** A fault that takes this much longer than it lasts fails, so that it cannot block the run. */
export const longestMs = 120_000;

/** Sends a server a signal that ends it; back when the supervisor's next one answers. */
async function killServer({ stack }: Targets, name: ServerName, signal: NodeJS.Signals): Promise<void> {
  const server = stack.infra[name];
  const before = server.pid();
  stack.kill(name, signal);
  await until(async () => {
    const now = server.pid();
    if (now === null || now === before) return false;
    return name === 'postgres'
      ? answersQueries(stack.file.databaseUrl)
      : isServingAmqp(managementUrlOf(stack));
  });
}

/**
 * Polls in short intervals, because the times of faults are measured by it. A check that throws counts as
 * false.
 */
export async function until(check: () => Promise<boolean>, timeoutMs = longestMs): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('not back in time');
    await sleep(50);
  }
}

export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1_000) });
  await answer.text();
  return answer.status === 200;
}
