module.exports = { ...require('../../jest.preset.js'), displayName: 'extensions', rootDir: __dirname };
