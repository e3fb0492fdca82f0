const path = require('node:path');
const { compilerOptions } = require('./tsconfig.base.json');

/**
 * Shared by every project: TypeScript through swc, the path aliases, and the private Postgres and RabbitMQ of
 * the tests.
 */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  testTimeout: 180000,
  globalSetup: path.join(__dirname, 'tools/test/global-setup.ts'),
  globalTeardown: path.join(__dirname, 'tools/test/global-teardown.ts'),
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
