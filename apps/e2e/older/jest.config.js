/** `npm run prove -- console-older-services`: the console with services of an earlier commit. */
const { setupFilesAfterEnv } = require('../../../jest.preset.js');

module.exports = {
  ...require('../jest.config.js'),
  displayName: 'console-older-services',
  testMatch: ['<rootDir>/older/**/*.spec.ts', '<rootDir>/test/console*.spec.ts'],
  // Without the comparison of responses with the document: the document is newer than the services.
  setupFilesAfterEnv,
  // The test opens all pages of the console.
  testTimeout: 1200000,
};
