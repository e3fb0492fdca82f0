module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'submissions-svc',
  rootDir: __dirname,
};
