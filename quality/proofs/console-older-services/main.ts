/**
 * Opens all pages of the console with services of an earlier commit. The gateway and the console are those of
 * this checkout. `console-older-services [REF [SPEC…]]`: the earlier commit, by default the newest tag; and
 * specs of the console to run in place of the one that opens all pages.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { checkoutDir, runCommand } from '@canvass/infra';
import { serviceNames } from '@canvass/stack';
import { buildOf } from '../upgrade/earlier-build';

runCommand(() => {
  const [ref = null, ...specs] = process.argv.slice(2);
  const { commit, bundleOf } = buildOf(ref);
  const programs = serviceNames
    .filter((name) => name !== 'gateway')
    .map((name) => [name, path.join(bundleOf(name), 'main.js')]);
  console.log(`services of ${commit.slice(0, 12)}`);
  const jest = require.resolve('jest/bin/jest');
  const args = [jest, '-c', 'apps/e2e/older/jest.config.js', ...(specs.length > 0 ? specs : ['older/'])];
  const { status } = spawnSync(process.execPath, args, {
    cwd: checkoutDir,
    env: { ...process.env, E2E_PROGRAMS: JSON.stringify(Object.fromEntries(programs)) },
    stdio: 'inherit',
  });
  return Promise.resolve(status ?? 1);
});
