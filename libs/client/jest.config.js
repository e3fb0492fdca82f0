// No servers: these tests need no database and no broker.
const { globalSetup: _up, globalTeardown: _down, ...preset } = require('../../jest.preset.js');

module.exports = { ...preset, displayName: 'client', rootDir: __dirname };
