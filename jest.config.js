/** All projects in one run, as `npm test` does. One project: `npx nx test <name>`. */
module.exports = {
  // Of a run over several projects jest takes the time limit from here, not from the preset.
  testTimeout: require('./jest.preset.js').testTimeout,
  // Modules of spec files stay in the memory of their worker, which reached 4 GB and made everything slow. A
  // worker that is larger than this after a file is replaced.
  workerIdleMemoryLimit: '1GB',
  projects: [
    '<rootDir>/libs/*/jest.config.js',
    '<rootDir>/apps/!(e2e)/jest.config.js',
    '<rootDir>/{tools,build,deploy}/jest.config.js',
    '<rootDir>/quality/lint/jest.config.js',
  ],
};
