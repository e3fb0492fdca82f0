/** `npm run prove -- console-journeys`: specs of the console that take too long for `npm test`. */
module.exports = {
  ...require('../jest.config.js'),
  displayName: 'console-journeys',
  testMatch: ['<rootDir>/long/**/*.spec.ts'],
  // A test opens all pages of the console.
  testTimeout: 1200000,
};
