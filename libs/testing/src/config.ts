/** Where the servers of this test run are; set by the global set-up, or by hand to use servers that already run. */
export interface TestServers {
  /** URL of a superuser on a Postgres server that tests may fill with databases. */
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

/** Reads each address when it is first asked for, so that a spec without a broker needs none. */
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
