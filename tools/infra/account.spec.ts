import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureDir, everyoneMayEnter, serverHome } from './account';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'account-'));
  chmodSync(dir, 0o755);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('where the servers live', () => {
  it('sees that a folder is closed to other users, also one far above', () => {
    const closed = path.join(dir, 'closed');
    mkdirSync(path.join(closed, 'checkout'), { recursive: true });
    expect(everyoneMayEnter(path.join(closed, 'checkout', '.local'))).toBe(true);
    chmodSync(closed, 0o700);
    expect(everyoneMayEnter(path.join(closed, 'checkout', '.local'))).toBe(false);
  });

  it('is the stack folder itself when everyone may enter it', () => {
    const stack = path.join(dir, '.local');
    const home = serverHome(stack);
    expect(home.dir).toBe(path.join(stack, 'servers'));
    // Root runs them as another user, other users as themselves.
    expect(home.account === null).toBe(process.getuid?.() !== 0);
  });

  it.each(['with space', "quote'd", 'dollar$'])('is a folder of its own for a checkout in "%s"', (name) => {
    const home = serverHome(path.join(dir, name));
    try {
      expect(path.dirname(home.dir)).toBe(os.tmpdir());
      expect(serverHome(path.join(dir, name)).dir).toBe(home.dir);
      expect(serverHome(path.join(dir, `${name} 2`)).dir).not.toBe(home.dir);
    } finally {
      rmSync(home.dir, { recursive: true, force: true });
      rmSync(serverHome(path.join(dir, `${name} 2`)).dir, { recursive: true, force: true });
    }
  });

  it('gets the rights that were asked for', () => {
    const target = path.join(dir, 'data');
    mkdirSync(target, { mode: 0o777 });
    ensureDir(target, null, 0o700);
    expect(statSync(target).mode & 0o777).toBe(0o700);
  });

  it('is never a file', () => {
    expect(() => ensureDir(path.join(process.execPath), null)).toThrow();
  });
});
