import { jobQueueOfSeed, parseChaosArguments } from './arguments';

describe('the command line of npm run chaos', () => {
  it('runs for half an hour by default', () => {
    expect(parseChaosArguments([])).toMatchObject({ seconds: 1800, workers: 192 });
    expect(parseChaosArguments(['--short'])).toMatchObject({ seconds: 90, workers: 32 });
    expect(parseChaosArguments(['--minutes', '0.5', '--seed', 'x'])).toMatchObject({
      seconds: 30,
      seed: 'x',
    });
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

  it.each([['--minutes', '-1'], ['--nonsense']])('refuses %s %s', (...argv) => {
    expect(() => parseChaosArguments(argv)).toThrow();
  });
});
