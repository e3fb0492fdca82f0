module.exports = { ...require('../../jest.preset.js'), displayName: 'json-numbers', rootDir: __dirname };
