/** End to end: one private stack for all spec files, one file after another, because some stop parts of it. */
module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'e2e',
  rootDir: __dirname,
  globalSetup: './stack/global-setup.ts',
  globalTeardown: './stack/global-teardown.ts',
  testTimeout: 90000,
  maxWorkers: 1,
};
