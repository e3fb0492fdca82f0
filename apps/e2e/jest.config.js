// No servers of the preset: each run starts a whole stack of its own through tools/start.
const { globalSetup: _up, globalTeardown: _down, ...preset } = require('../../jest.preset.js');

module.exports = { ...preset, displayName: 'e2e', rootDir: __dirname };
