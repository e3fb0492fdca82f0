import { parseChaosArguments } from './arguments';

describe('the command line of npm run chaos', () => {
  it('runs for half an hour by default', () => {
    expect(parseChaosArguments([])).toMatchObject({ seconds: 1800, workers: 192 });
    expect(parseChaosArguments(['--short'])).toMatchObject({ seconds: 90, workers: 32 });
    expect(parseChaosArguments(['--minutes', '0.5', '--seed', 'x'])).toMatchObject({
      seconds: 30,
      seed: 'x',
    });
  });

  it.each([['--minutes', '-1'], ['--nonsense']])('refuses %s %s', (...argv) => {
    expect(() => parseChaosArguments(argv)).toThrow();
  });
});
