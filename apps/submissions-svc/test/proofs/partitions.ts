import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [count = '8'] = process.argv.slice(2);

/**
 * Runs the specs of submissions-svc on tables that are partitioned by tenant. Jest finds the servers by the
 * variables of this process.
 */
async function main(): Promise<void> {
  const jest = require.resolve('jest/bin/jest');
  const child = spawn(process.execPath, [jest, '-c', 'apps/submissions-svc/jest.config.js', '--runInBand'], {
    stdio: 'inherit',
    env: { ...process.env, TEST_PARTITIONS: count },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
}

void main();
