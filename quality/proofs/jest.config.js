module.exports = { ...require('../../jest.preset.js'), displayName: 'proofs', rootDir: __dirname };
