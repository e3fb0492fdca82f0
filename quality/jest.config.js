/** Specs of the proofs. Those of `lint/` are part of `npm test`. */
module.exports = {
  ...require('../jest.preset.js'),
  displayName: 'quality',
  rootDir: __dirname,
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/lint/'],
};
