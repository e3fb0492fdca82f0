// No servers: these tests need no database and no broker. Those of limits/ do, and are a project of their own.
const { globalSetup: _up, globalTeardown: _down, ...preset } = require('../jest.preset.js');

module.exports = {
  ...preset,
  displayName: 'tools',
  rootDir: __dirname,
  testPathIgnorePatterns: ['/node_modules/', '/tools/limits/'],
};
