/** All projects in one run, as `npm test` does. One project: `npx nx test <name>`. */
module.exports = {
  projects: [
    '<rootDir>/libs/*/jest.config.js',
    '<rootDir>/apps/!(e2e)/jest.config.js',
    '<rootDir>/tools/jest.config.js',
  ],
};
