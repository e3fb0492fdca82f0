module.exports = { ...require('../../jest.preset.js'), displayName: 'async', rootDir: __dirname };
