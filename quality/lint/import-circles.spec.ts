import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** What dependency-cruiser reports of two files with these imports, under the configuration of the workspace. */
function check(files: Record<string, string>): { status: number | null; output: string } {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-circles-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
    const command = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = [command, '--config', path.join(root, '.dependency-cruiser.cjs'), '-T', 'err', dir];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    return { status, output: stdout };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('the check for import circles', () => {
  it.each(['import', 'import type'])('stops a circle of `%s`', (form) => {
    const { status, output } = check({
      'ping.ts': `${form} { Pong } from './pong';\nexport class Ping { to?: Pong }\n`,
      'pong.ts': `${form} { Ping } from './ping';\nexport class Pong { to?: Ping }\n`,
    });
    expect(output).toContain('no-circular');
    expect(status).toBe(1);
  });

  it('lets files without a circle pass', () => {
    const { status, output } = check({
      'ping.ts': `import type { Pong } from './pong';\nexport class Ping { to?: Pong }\n`,
      'pong.ts': 'export class Pong {}\n',
    });
    expect(output).toContain('no dependency violations found');
    expect(status).toBe(0);
  });
});
