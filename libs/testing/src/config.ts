/** Addresses of the servers of this test run, from the global set-up or from the environment. */
export interface TestServers {
  /** URL of a superuser on a Postgres server on which tests may create databases. */
  databaseUrl: string;
  /** AMQP URL of a RabbitMQ server, without a virtual host. */
  amqpUrl: string;
  /** Base URL of its management API, with credentials. */
  amqpManagementUrl: string;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: run the specs through jest with the workspace's global set-up.`);
  }
  return value;
}

/** Reads each address on first use, so that a spec without a broker needs no broker. */
export const testServers: TestServers = {
  get databaseUrl() {
    return required('TEST_DATABASE_URL');
  },
  get amqpUrl() {
    return required('TEST_AMQP_URL');
  },
  get amqpManagementUrl() {
    return required('TEST_AMQP_MANAGEMENT_URL');
  },
};

/** The Redis program of the tests and the environment it runs in. @throws {Error} outside of jest */
export function testRedisServer(): { program: string; env: NodeJS.ProcessEnv } {
  const given = process.env['TEST_REDIS_SERVER'];
  if (given === undefined) throw new Error('TEST_REDIS_SERVER is not set: run the spec through jest.');
  const { program, libraries } = JSON.parse(given) as { program: string; libraries: string[] };
  return { program, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } };
}
