module.exports = { ...require('../../jest.preset.js'), displayName: 'lint-fences', rootDir: __dirname };
