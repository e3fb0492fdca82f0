module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'console-ui',
  rootDir: __dirname,
};
