import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { acquireInfra } from './acquire';
import type { Infra } from './infra';
import { readJson } from './atomic-file';
import { localDir } from './checkout';
import { withLock } from './file-lock';
import { PortBook } from './ports';
import { privateServers } from './private-servers';
import { isAlive, PidFile, type ProcessRecord } from './process-record';
import { redisBinary } from './redis-binary';

const dir = path.join(localDir, 'test');
const usersDir = path.join(dir, 'users');
const lock = path.join(dir, 'run', 'servers.lock');

/** Kept on the global object, because jest loads globalSetup and globalTeardown as two instances of this module. */
const state = globalThis as typeof globalThis & { canvassTestServers?: Infra | undefined };

/** Living test runs of this checkout other than this one; records of dead ones are removed. */
function otherUsers(): number {
  mkdirSync(usersDir, { recursive: true });
  let living = 0;
  for (const name of readdirSync(usersDir).filter((file) => file.endsWith('.json'))) {
    const file = path.join(usersDir, name);
    const record = readJson<ProcessRecord>(file);
    if (!isAlive(record)) rmSync(file, { force: true });
    else if (record.pid !== process.pid) living++;
  }
  return living;
}

function myEntry(): PidFile {
  return new PidFile(path.join(usersDir, `${process.pid}.json`));
}

/**
 * Starts the checkout's test servers, or joins those of a test run that goes on at the same time. Answers the
 * environment variables by which tests find them.
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
    // Left behind by a run that was killed: its data is of no use to anyone.
    if (otherUsers() === 0) await stopServers(infra);
    await Promise.all([infra.postgres.start(), infra.rabbitmq.start()]);
    const redis = await redisBinary(say);
    myEntry().write(process.pid);
    state.canvassTestServers = infra;
    return {
      TEST_DATABASE_URL: infra.postgres.url,
      TEST_AMQP_URL: infra.rabbitmq.url,
      TEST_REDIS_SERVER: JSON.stringify(redis),
      ...(infra.rabbitmq.managementUrl ? { TEST_AMQP_MANAGEMENT_URL: infra.rabbitmq.managementUrl } : {}),
    };
  });
}

/** Leaves; the last one out stops the servers. */
export async function leaveServers(): Promise<void> {
  const mine = state.canvassTestServers;
  if (!mine) return;
  await withLock(lock, async () => {
    myEntry().remove();
    state.canvassTestServers = undefined;
    if (otherUsers() === 0) await stopServers(mine);
  });
}

/** For a run that is interrupted: the same for private servers, at once and without waiting. */
export function abandonServers(): void {
  if (!state.canvassTestServers) return;
  myEntry().remove();
  if (otherUsers() > 0) return;
  const { postgres, rabbitmq } = privateServers({ dir, ephemeral: true, postgresPassword: null });
  postgres.signal('SIGQUIT');
  rabbitmq.signal('SIGKILL');
  rabbitmq.signalMapper('SIGTERM');
}

async function stopServers({ postgres, rabbitmq }: Infra): Promise<void> {
  await Promise.all([postgres.stop(), rabbitmq.stop()]);
}
