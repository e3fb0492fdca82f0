/** `npm run prove -- console-journeys`: specs of the console that take too long for `npm test`. */
module.exports = {
  ...require('../jest.config.js'),
  displayName: 'console-journeys',
  testMatch: ['<rootDir>/long/**/*.spec.ts'],
};
