import { jobQueueOfSeed, parseChaosArguments } from './arguments';

describe('the command line of npm run chaos', () => {
  it('runs for half an hour by default', () => {
    expect(parseChaosArguments([])).toMatchObject({ seconds: 1800, report: '.local/chaos/report.md' });
    expect(parseChaosArguments(['--short'])).toMatchObject({ seconds: 90, workers: 32 });
    expect(parseChaosArguments(['--minutes', '0.5', '--seed', 'x'])).toMatchObject({
      seconds: 30,
      seed: 'x',
    });
  });

  it('uses the job queue as asked, else as the seed says, the same for the same seed', () => {
    expect(parseChaosArguments(['--job-queue', 'mixed'])).toMatchObject({ jobQueue: 'mixed' });
    const drawn = parseChaosArguments(['--short', '--seed', 'a']).jobQueue;
    expect(parseChaosArguments(['--seed', 'a'])).toMatchObject({ jobQueue: drawn });
    expect(() => parseChaosArguments(['--job-queue', 'yes'])).toThrow(/--job-queue takes on, off, mixed/);
  });

  it('draws job queues on for half of the seeds, off and mixed for a quarter each', () => {
    const drawn = Array.from({ length: 400 }, (_, n) => jobQueueOfSeed(`seed ${n}`));
    const times = (mode: string) => drawn.filter((each) => each === mode).length;
    expect(times('on')).toBeGreaterThan(160);
    expect(times('on')).toBeLessThan(240);
    for (const mode of ['off', 'mixed']) {
      expect(times(mode)).toBeGreaterThan(60);
      expect(times(mode)).toBeLessThan(140);
    }
  });

  it('kills at failpoints with --failpoints, with a report of its own', () => {
    const report = '.local/chaos/failpoints.md';
    expect(parseChaosArguments(['--failpoints'])).toMatchObject({
      failpoints: true,
      jobQueue: 'mixed',
      report,
    });
  });

  it.each([['--minutes', '-1'], ['--target-rate', 'many'], ['--nonsense']])('refuses %s %s', (...argv) => {
    expect(() => parseChaosArguments(argv)).toThrow();
  });
});
