import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { acquireInfra, privateServers, type Infra } from './acquire';
import { localDir } from './checkout';
import { withLock } from './file-lock';
import { PortBook } from './ports';
import { PidFile } from './processes';
import { redisBinary } from './programs';

const dir = path.join(localDir, 'test');
const usersDir = path.join(dir, 'users');
const lock = path.join(dir, 'run', 'servers.lock');
const ownEntry = new PidFile(path.join(usersDir, `${process.pid}.json`));

/**
 * On the global object, because jest loads globalSetup and globalTeardown as two instances of this module.
 */
const state = globalThis as typeof globalThis & { canvassTestServers?: Infra | undefined };

/** Whether other test runs of this checkout live; records of dead ones are removed. */
function othersUseThem(): boolean {
  mkdirSync(usersDir, { recursive: true });
  return (
    readdirSync(usersDir).filter((name) => {
      const entry = new PidFile(path.join(usersDir, name));
      const pid = entry.live()?.pid;
      if (pid === undefined) entry.remove();
      return pid !== undefined && pid !== process.pid;
    }).length > 0
  );
}

/**
 * Starts the checkout's test servers, or joins those of a test run in progress. Returns the environment
 * variables by which tests find them.
 */
export async function joinServers(say: (line: string) => void): Promise<Record<string, string>> {
  return withLock(lock, async () => {
    const infra = await acquireInfra({
      dir,
      ports: new PortBook(path.join(dir, 'ports.json')),
      ephemeral: true,
      postgresPassword: null,
      say,
      given: {
        databaseUrl: process.env['TEST_DATABASE_URL'],
        amqpUrl: process.env['TEST_AMQP_URL'],
        amqpManagementUrl: process.env['TEST_AMQP_MANAGEMENT_URL'],
      },
    });
    // Servers of a run that was killed have old data.
    if (!othersUseThem()) await stopServers(infra);
    await Promise.all([infra.postgres.start(), infra.rabbitmq.start()]);
    const redis = await redisBinary(say);
    ownEntry.write(process.pid);
    state.canvassTestServers = infra;
    const { managementUrl } = infra.rabbitmq;
    return {
      TEST_DATABASE_URL: infra.postgres.url,
      TEST_AMQP_URL: infra.rabbitmq.url,
      TEST_REDIS_SERVER: JSON.stringify(redis),
      ...(managementUrl ? { TEST_AMQP_MANAGEMENT_URL: managementUrl } : {}),
    };
  });
}

/** Leaves the servers; the last run stops them. */
export async function leaveServers(): Promise<void> {
  const infra = state.canvassTestServers;
  if (!infra) return;
  await withLock(lock, async () => {
    ownEntry.remove();
    state.canvassTestServers = undefined;
    if (!othersUseThem()) await stopServers(infra);
  });
}

/**
 * When this process is interrupted, it ends: after `first`, and the last run stops private servers without
 * waiting for them.
 */
export function abandonServersOnSignal(first: () => void = () => undefined): void {
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      first();
      abandonServers();
      process.exit(status);
    });
  }
}

function abandonServers(): void {
  if (!state.canvassTestServers) return;
  ownEntry.remove();
  if (othersUseThem()) return;
  const { postgres, rabbitmq } = privateServers({ dir, ephemeral: true, postgresPassword: null });
  postgres.signal('SIGQUIT');
  rabbitmq.abandon();
}

async function stopServers({ postgres, rabbitmq }: Infra): Promise<void> {
  await Promise.all([postgres.stop(), rabbitmq.stop()]);
}
