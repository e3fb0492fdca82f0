const path = require('node:path');
const { compilerOptions } = require('./tsconfig.base.json');

// The command that starts Postgres, RabbitMQ and Redis. `@canvass/testing` runs it when a spec first needs one,
// so a spec without servers starts none. They stay up between runs; `npm test -- --stop` stops them.
process.env.CANVASS_TEST_SERVERS = path.join(__dirname, 'tools/test/servers.ts');

/** Shared by every project: TypeScript through swc, and the path aliases. */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  testTimeout: 180000,
  setupFilesAfterEnv: [
    // Every answer of every endpoint is held to the OpenAPI document.
    path.join(__dirname, 'build/openapi/answers-in-tests.ts'),
    // Every event that a test publishes is held to libs/contracts.
    path.join(__dirname, 'libs/testing/src/event-check.setup.ts'),
  ],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([alias, [file]]) => [
      `^${alias}$`,
      path.join(__dirname, file),
    ]),
  ),
};
