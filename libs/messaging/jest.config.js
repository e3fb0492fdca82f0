const preset = require('../../jest.preset.js');

module.exports = {
  ...preset,
  // Its messages are any bytes, no events: they are not held to libs/contracts.
  setupFilesAfterEnv: preset.setupFilesAfterEnv.filter((file) => !file.includes('event-check')),
  displayName: 'messaging',
  rootDir: __dirname,
};
