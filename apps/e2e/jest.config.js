/**
 * End to end: one private stack for all spec files, one file after another, because some stop parts of it.
 */
const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'e2e',
  rootDir: __dirname,
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  globalSetup: './stack/global-setup.ts',
  globalTeardown: './stack/global-teardown.ts',
  setupFilesAfterEnv: [...preset.setupFilesAfterEnv, '<rootDir>/stack/check-answers.ts'],
  testTimeout: 300000,
  maxWorkers: 1,
};
