module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'gateway',
  rootDir: __dirname,
  globalSetup: './test/build-documents.ts',
};
