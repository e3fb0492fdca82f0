module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'identity-svc',
  rootDir: __dirname,
};
