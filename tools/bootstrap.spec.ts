import { eventually } from '@canvass/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** An npm that takes its time to end. */
const slowNpm = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => setTimeout(() => (writeFileSync('ended', ''), process.exit(1)), 500));
writeFileSync('began', '');
setInterval(() => undefined, 1000);
`;

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('waits for npm ci after %s', async (signal, status) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'canvass-bootstrap-'));
  const within = (...names: string[]) => path.join(dir, ...names);
  try {
    for (const folder of ['tools', 'bin']) mkdirSync(within(folder));
    copyFileSync(path.join(__dirname, 'bootstrap.mjs'), within('tools', 'bootstrap.mjs'));
    writeFileSync(within('package-lock.json'), '{}');
    writeFileSync(within('bin', 'npm'), slowNpm);
    chmodSync(within('bin', 'npm'), 0o755);
    const env = { ...process.env, PATH: [within('bin'), process.env['PATH']].join(path.delimiter) };
    const child = spawn(process.execPath, ['tools/bootstrap.mjs', 'start'], { cwd: dir, env, stdio: 'pipe' });
    const ended = once(child, 'exit');
    await eventually(() => expect(existsSync(within('began'))).toBe(true));
    child.kill(signal);
    expect(await ended).toEqual([status, null]);
    expect(existsSync(within('ended'))).toBe(true);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
