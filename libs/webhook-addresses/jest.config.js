module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'webhook-addresses',
  rootDir: __dirname,
};
