module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'webhook-relay-svc',
  rootDir: __dirname,
};
