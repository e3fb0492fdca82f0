import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const checkout = path.join(__dirname, '..');
let dir: string;
beforeEach(() => void (dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-bundle-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** Bundles a program outside of the checkout, where no packages are, and runs it. */
function bundleAndRun(withPackages: boolean) {
  const bundle = path.join(dir, 'provision.js');
  execFileSync(process.execPath, ['build/build-app.mjs', 'tools/provision/main.ts', bundle], {
    cwd: checkout,
    env: { ...process.env, CANVASS_BUNDLE_PACKAGES: String(withPackages) },
  });
  const { sources } = JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as { sources: string[] };
  const { stderr } = spawnSync(process.execPath, [bundle], { cwd: dir, encoding: 'utf8' });
  return { stderr, sourcesOfPackages: sources.filter((name) => name.includes('node_modules')) };
}

it('a bundle with packages runs alone, and its source map is of our code', () => {
  const { stderr, sourcesOfPackages } = bundleAndRun(true);
  expect(stderr).toContain('Service:Provision:AdminUrl is required');
  expect(sourcesOfPackages).toEqual([]);
});

it('another bundle needs the packages beside it', () => {
  expect(bundleAndRun(false).stderr).toMatch(/Cannot find module/);
});
