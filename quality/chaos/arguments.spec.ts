import { parseChaosArguments } from './arguments';

describe('the command line of npm run chaos', () => {
  it('runs for half an hour by default', () => {
    expect(parseChaosArguments([])).toMatchObject({
      seconds: 1800,
      seeded: null,
      report: '.local/chaos/report.md',
    });
    expect(parseChaosArguments(['--short'])).toMatchObject({ seconds: 90 });
    expect(parseChaosArguments(['--minutes', '0.5', '--seed', 'x'])).toMatchObject({
      seconds: 30,
      seed: 'x',
    });
  });

  it('knows its seeded bugs', () => {
    expect(parseChaosArguments(['--seeded', 'cursor-by-id'])).toMatchObject({
      seeded: 'cursor-by-id',
      seconds: 90,
    });
    expect(() => parseChaosArguments(['--seeded', 'other'])).toThrow(/--seeded takes ack-before-commit/);
  });

  it('uses the job queue as asked, else as the seed says, the same for the same seed', () => {
    expect(parseChaosArguments(['--job-queue', 'mixed'])).toMatchObject({ jobQueue: 'mixed' });
    const drawn = parseChaosArguments(['--short', '--seed', 'a']).jobQueue;
    expect(parseChaosArguments(['--seed', 'a'])).toMatchObject({ jobQueue: drawn });
    expect(() => parseChaosArguments(['--job-queue', 'yes'])).toThrow(/--job-queue takes on, off, mixed/);
    expect(() => parseChaosArguments(['--idle-writer', '--job-queue', 'on'])).toThrow(/--job-queue/);
  });

  it('is idle for ten minutes with --idle-writer, and for some seconds in short form', () => {
    const report = '.local/chaos/idle-writer.md';
    expect(parseChaosArguments(['--idle-writer'])).toMatchObject({ seconds: 600, rate: 200, report });
    const short = parseChaosArguments(['--idle-writer', '--short', '--rate', '50']);
    expect(short).toMatchObject({ idleWriter: true, seconds: 20, rate: 50, jobQueue: 'off' });
    expect(() => parseChaosArguments(['--idle-writer', '--seeded', 'drop-returned'])).toThrow(/--seeded/);
  });

  it('kills at failpoints with --failpoints, with a report of its own', () => {
    expect(parseChaosArguments(['--failpoints'])).toMatchObject({
      failpoints: true,
      jobQueue: 'mixed',
      report: '.local/chaos/failpoints.md',
    });
    expect(() => parseChaosArguments(['--failpoints', '--idle-writer'])).toThrow(/--idle-writer/);
    expect(() => parseChaosArguments(['--failpoints', '--seeded', 'cursor-by-id'])).toThrow(/--seeded/);
  });

  it.each([['--minutes', '-1'], ['--target-rate', 'many'], ['--nonsense']])('refuses %s %s', (...argv) => {
    expect(() => parseChaosArguments(argv)).toThrow();
  });
});
