import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Runs the specs of this folder, or those that the arguments name, on a stack of their own. */
const jest = require.resolve('jest/bin/jest');
const config = path.join(__dirname, 'jest.config.js');
const { status } = spawnSync(process.execPath, [jest, '-c', config, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
