import { abandonServersOnSignal, joinServers } from '../infra/shared-servers';

/**
 * Jest's globalSetup: gives every spec file TEST_DATABASE_URL (superuser of a private PostgreSQL),
 * TEST_AMQP_URL and TEST_AMQP_MANAGEMENT_URL (a private RabbitMQ). Servers that these variables already
 * name are used instead. TEST_REDIS_SERVER is the program that `testRedis` of @canvass/testing runs.
 */
export default async function setUp(): Promise<void> {
  if (process.env['TEST_DATABASE_URL'] && process.env['TEST_AMQP_URL']) return;
  Object.assign(process.env, await joinServers((line) => process.stderr.write(`${line}\n`)));
  abandonServersOnSignal();
}
