/** A project of its own because it needs servers, which the other tests of tools do without. */
module.exports = { ...require('../../jest.preset.js'), displayName: 'limits', rootDir: __dirname };
