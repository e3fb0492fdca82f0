// Not UTC, so that a time that is read in the zone of the process fails its test.
process.env.TZ = 'Asia/Kathmandu';

module.exports = {
  ...require('../../jest.preset.js'),
  displayName: 'service-kit',
  rootDir: __dirname,
};
