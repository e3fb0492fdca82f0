/** `npm run prove -- console-pages`: specs over all pages of the console, too long for `npm test`. */
module.exports = {
  ...require('../jest.config.js'),
  displayName: 'console-pages',
  testMatch: ['<rootDir>/long/**/*.spec.ts'],
  // A test opens all pages of the console.
  testTimeout: 1200000,
};
