module.exports = { ...require('../../jest.preset.js'), displayName: 'workbooks', rootDir: __dirname };
