module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'range-counts',
  rootDir: __dirname,
};
