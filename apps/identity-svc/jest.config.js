module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'identity-svc',
  rootDir: __dirname,
  setupFiles: ['<rootDir>/test/cheap-passwords.setup.ts'],
};
