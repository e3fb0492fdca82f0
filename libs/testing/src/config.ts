import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Addresses of the test servers. */
export interface TestServers {
  /** URL of a superuser on a Postgres server on which tests may create databases. */
  databaseUrl: string;
  /** AMQP URL of a RabbitMQ server, without a virtual host. */
  amqpUrl: string;
  /** Base URL of its management API, with credentials. */
  amqpManagementUrl: string;
}

/** Starts the servers in the first spec of this process that needs one. */
function required(name: string): string {
  const command = process.env['CANVASS_TEST_SERVERS'];
  if (process.env[name] === undefined && command !== undefined) {
    const printed = execFileSync(process.execPath, ['--import', 'tsx', command], {
      cwd: path.dirname(command),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    Object.assign(process.env, JSON.parse(printed));
  }
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the specs through jest.`);
  return value;
}

/** Reads each address on first use, so that a spec without a server starts none. */
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
  const { program, libraries } = JSON.parse(required('TEST_REDIS_SERVER')) as {
    program: string;
    libraries: string[];
  };
  return { program, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } };
}
