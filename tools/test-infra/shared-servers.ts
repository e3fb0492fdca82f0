import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localDir, PidFile, privateServers, readJson, withLock, isAlive, type ProcessRecord } from '../infra';

const dir = path.join(localDir, 'test');
const usersDir = path.join(dir, 'users');
const lock = path.join(dir, 'run', 'servers.lock');

/** Addresses that the tests read from the environment. */
export interface TestServers {
  TEST_DATABASE_URL: string;
  TEST_AMQP_URL: string;
  TEST_AMQP_MANAGEMENT_URL: string;
}

function servers(say: (line: string) => void) {
  return privateServers({ dir, ephemeral: true, postgresPassword: null, say });
}

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

/** Starts the checkout's test servers, or joins those of a test run that goes on at the same time. */
export async function joinServers(say: (line: string) => void): Promise<TestServers> {
  return withLock(lock, async () => {
    const { postgres, rabbitmq } = servers(say);
    // Left behind by a run that was killed: its data is of no use to anyone.
    if (otherUsers() === 0) await Promise.all([postgres.stop(), rabbitmq.stop()]);
    await Promise.all([postgres.start(), rabbitmq.start()]);
    myEntry().write(process.pid);
    return {
      TEST_DATABASE_URL: postgres.url,
      TEST_AMQP_URL: rabbitmq.url,
      TEST_AMQP_MANAGEMENT_URL: rabbitmq.managementUrl,
    };
  });
}

/** Leaves; the last one out stops the servers. */
export async function leaveServers(): Promise<void> {
  await withLock(lock, async () => {
    myEntry().remove();
    if (otherUsers() > 0) return;
    const { postgres, rabbitmq } = servers(() => undefined);
    await Promise.all([postgres.stop(), rabbitmq.stop()]);
  });
}

/** For a run that is interrupted: the same, at once and without waiting. */
export function abandonServers(): void {
  myEntry().remove();
  if (otherUsers() > 0) return;
  const { postgres, rabbitmq } = servers(() => undefined);
  postgres.signal('SIGQUIT');
  rabbitmq.signal('SIGKILL');
  rabbitmq.signalMapper('SIGTERM');
}
