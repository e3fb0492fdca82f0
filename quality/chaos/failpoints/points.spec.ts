import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { checkoutDir } from '@canvass/infra';
import { findFailpoints, withFailpoints } from './points';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'failpoints-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the failpoints of the product', () => {
  it('have different names', () => {
    const names = findFailpoints().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('leave nothing in a production bundle', () => {
    const file = path.join(dir, 'main.js');
    execFileSync(process.execPath, ['build/build-app.mjs', 'apps/webhook-relay-svc', file], {
      cwd: checkoutDir,
    });
    const bundle = readFileSync(file, 'utf8');
    expect(bundle).toContain('recordResults');
    expect(bundle).not.toContain('failpoint');
  });
});

describe('a program with failpoints', () => {
  /** Runs three rounds with a point in each; the point is armed unless `hits` is null. */
  function run(hits: number | null) {
    const source = `for (let round = 1; round <= 3; round++) {
  console.log(round);
  // failpoint: test.round
}
console.log('end');`;
    writeFileSync(path.join(dir, 'main.ts'), withFailpoints(source)!);
    const outfile = path.join(dir, 'main.js');
    buildSync({ entryPoints: [path.join(dir, 'main.ts')], outfile, bundle: true, platform: 'node' });
    if (hits !== null) writeFileSync(path.join(dir, 'test.round'), String(hits));
    const env = { ...process.env, FAILPOINTS: dir };
    const { stdout, signal } = spawnSync(process.execPath, [outfile], { env, encoding: 'utf8' });
    return { lines: stdout.trim().split('\n'), signal };
  }

  it('dies at the armed point, at the given hit, and notes that', () => {
    expect(run(2)).toEqual({ lines: ['1', '2'], signal: 'SIGKILL' });
    expect(existsSync(path.join(dir, 'test.round.hit'))).toBe(true);
    expect(existsSync(path.join(dir, 'test.round'))).toBe(false);
  });

  it('does nothing at a point that is not armed', () => {
    expect(run(null)).toEqual({ lines: ['1', '2', '3', 'end'], signal: null });
  });

  it('is the same program if it has no points', () => {
    expect(withFailpoints('const a = 1;')).toBeNull();
  });
});
