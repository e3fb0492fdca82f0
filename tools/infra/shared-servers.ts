import path from 'node:path';
import { acquireInfra, type Infra } from './acquire';
import { localDir } from './checkout';
import { withLock } from './file-lock';
import { PortBook } from './ports';
import { redisBinary } from './programs';

type Say = (line: string) => void;

const dir = path.join(localDir, 'test');
const lock = path.join(dir, 'run', 'servers.lock');

const acquire = (say: Say): Promise<Infra> =>
  acquireInfra({
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

/**
 * Starts the test servers of this checkout unless they run. They stay up for the next run. Returns the
 * environment variables by which tests find them.
 */
export async function startTestServers(say: Say): Promise<Record<string, string>> {
  return withLock(lock, async () => {
    const { postgres, rabbitmq } = await acquire(say);
    await Promise.all([postgres.start(), rabbitmq.start()]);
    const redis = await redisBinary(say);
    return {
      TEST_DATABASE_URL: postgres.url,
      TEST_AMQP_URL: rabbitmq.url,
      TEST_REDIS_SERVER: JSON.stringify(redis),
      ...(rabbitmq.managementUrl ? { TEST_AMQP_MANAGEMENT_URL: rabbitmq.managementUrl } : {}),
    };
  });
}

/** Stops the test servers of this checkout. The next start begins without data. */
export async function stopTestServers(): Promise<void> {
  await withLock(lock, async () => {
    const { postgres, rabbitmq } = await acquire(() => undefined);
    await Promise.all([postgres.stop(), rabbitmq.stop()]);
  });
}
