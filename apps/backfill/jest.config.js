module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'backfill',
  rootDir: __dirname,
};
