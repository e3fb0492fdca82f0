import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lockHolder, tryLock, withLock } from './file-lock';
import { isAlive, PidFile, recordOf, startTimeOf, terminate } from './processes';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'record-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a pid file', () => {
  it('knows a living process', () => {
    const file = new PidFile(path.join(dir, 'self.json'));
    file.write(process.pid);
    expect(file.live()?.pid).toBe(process.pid);
  });

  it('does not take another process with the same pid for the recorded one', () => {
    const file = path.join(dir, 'reused.json');
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: '1' }));
    expect(new PidFile(file).live()).toBeNull();
  });

  it.each(['', 'not json', '{"pid":-1,"startedAt":"1"}', '{}'])('reads %j as no process', (text) => {
    const file = path.join(dir, 'broken.json');
    writeFileSync(file, text);
    expect(new PidFile(file).live()).toBeNull();
  });

  it('reads as no process after the end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    await once(child, 'spawn');
    const record = recordOf(child.pid ?? 0);
    expect(isAlive(record)).toBe(true);
    await terminate(record, [['SIGTERM', 5_000]]);
    expect(isAlive(record)).toBe(false);
    expect(startTimeOf(record.pid)).toBeNull();
  });

  it('kills a process that ignores SIGTERM', async () => {
    const child = spawn(process.execPath, [
      '-e',
      'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000); console.log("up")',
    ]);
    await once(child.stdout, 'data');
    const record = recordOf(child.pid ?? 0);
    const exit = once(child, 'exit');
    await terminate(record, [['SIGTERM', 100]]);
    expect(await exit).toEqual([null, 'SIGKILL']);
  });
});

describe('a file lock', () => {
  it('is held by one at a time and released', () => {
    const file = path.join(dir, 'a.lock');
    const release = tryLock(file);
    expect(release).not.toBeNull();
    expect(tryLock(file)).toBeNull();
    expect(lockHolder(file)?.pid).toBe(process.pid);
    release?.();
    expect(lockHolder(file)).toBeNull();
    expect(tryLock(file)).not.toBeNull();
  });

  it('is taken over from a holder that died', () => {
    const file = path.join(dir, 'b.lock');
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' }));
    expect(tryLock(file)).not.toBeNull();
  });

  it('makes others wait', async () => {
    const file = path.join(dir, 'c.lock');
    const order: string[] = [];
    const first = withLock(file, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push('first');
    });
    await withLock(file, async () => order.push('second'));
    await first;
    expect(order).toEqual(['first', 'second']);
  });
});
