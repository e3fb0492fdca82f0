module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'datalists-svc',
  rootDir: __dirname,
};
