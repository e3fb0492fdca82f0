import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPreload, preloadFile } from '../stack';

let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'preload-'));
  await buildPreload(dir);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What a program prints that starts with the preloaded one. */
function print(program: string, env: NodeJS.ProcessEnv): string {
  const args = ['--require', preloadFile(dir), '--print', program];
  const { stdout } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  return stdout.trim();
}

describe('the program that a service loads first', () => {
  it('steps the clock by the milliseconds in the file', () => {
    const CHAOS_CLOCK = path.join(dir, 'clock');
    writeFileSync(CHAOS_CLOCK, String(-86_400_000));
    const ageOf = (now: string) => `Math.round((performance.timeOrigin - ${now}) / 3600000)`;
    for (const now of ['Date.now()', 'new Date().getTime()', 'Date.parse(Date())'])
      expect(print(ageOf(now), { CHAOS_CLOCK })).toBe('24');
  });

  it('leaves other dates as they are', () => {
    const program = `[new Date(0).toISOString(), new Date() instanceof Date, Date.UTC(2026, 0)].join(' ')`;
    const CHAOS_CLOCK = path.join(dir, 'no-clock');
    expect(print(program, { CHAOS_CLOCK })).toBe('1970-01-01T00:00:00.000Z true 1767225600000');
  });

  it('asks the given name server', () => {
    const program = `new (require('node:dns').promises.Resolver)().getServers().join()`;
    expect(print(program, { CHAOS_NAME_SERVER: '127.0.0.1:5399' })).toBe('127.0.0.1:5399');
  });
});
