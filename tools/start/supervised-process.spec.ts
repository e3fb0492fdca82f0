import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '@canvass/testing';
import { PidFile, startTimeOf } from '../infra';
import { SupervisedProcess } from './supervised-process';

describe('a supervised process', () => {
  let dir: string;
  let said: string[];
  let supervised: SupervisedProcess;

  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'supervised-'));
    said = [];
    supervised = process_('fragile', [path.join(__dirname, 'fixtures/fragile.js'), path.join(dir, 'pids')]);
  });

  afterEach(async () => {
    await supervised.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  function process_(name: string, args: string[]): SupervisedProcess {
    return new SupervisedProcess(
      {
        name,
        command: process.execPath,
        args,
        env: { PATH: process.env['PATH'] },
        cwd: dir,
        logFile: path.join(dir, `${name}.log`),
        pidFile: path.join(dir, `${name}.json`),
      },
      (line) => said.push(line),
      () => undefined,
    );
  }

  const started = () => readFileSync(path.join(dir, 'pids'), 'utf8').trim().split('\n').map(Number);

  it('is started again after kill -9, with a line that says so and its new pid on record', async () => {
    await supervised.start();
    const [first] = await eventually(() => started());
    supervised.signal('SIGKILL');
    const second = await eventually(() => {
      const pids = started();
      if (pids.length < 2) throw new Error('not started again yet');
      return pids[1];
    });
    expect(second).not.toBe(first);
    expect(supervised.pid()).toBe(second);
    expect(said).toEqual(['fragile ended (SIGKILL); starting it again in 0.2 s']);
  });

  it('stays down once it was asked to stop', async () => {
    await supervised.start();
    const [pid] = await eventually(() => started());
    await supervised.stop();
    expect(startTimeOf(pid ?? 0)).toBeNull();
    expect(supervised.pid()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(started()).toHaveLength(1);
    expect(said).toEqual([]);
  });

  it('restarts on request, does not count that as a death, and returns how the process ended', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(7)); console.log("up"); setInterval(() => {}, 1000)';
    supervised = process_('asked', ['-e', script]);
    await supervised.start();
    await eventually(() => expect(supervised.logTail()).toContain('up'));
    const before = supervised.pid();
    expect((await supervised.restart()).exitCode).toBe(7);
    expect(supervised.pid()).not.toBe(before);
    expect(supervised.pid()).not.toBeNull();
    expect([supervised.deaths, said]).toEqual([0, []]);
  });

  it('waits longer after each early death', async () => {
    supervised = process_('broken', ['-e', 'process.exit(3)']);
    await supervised.start();
    await eventually(() => expect(supervised.deaths).toBeGreaterThanOrEqual(3));
    expect(said.slice(0, 3)).toEqual([
      'broken ended (status 3); starting it again in 0.2 s',
      'broken ended (status 3); starting it again in 0.4 s',
      'broken ended (status 3); starting it again in 0.8 s',
    ]);
  });

  it('leaves a pid file by which another supervisor finds it', async () => {
    await supervised.start();
    await eventually(() => started());
    expect(new PidFile(path.join(dir, 'fragile.json')).live()?.pid).toBe(supervised.pid());
  });
});
