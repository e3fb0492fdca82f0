import { parseChaosArguments } from './arguments';

describe('the command line of npm run chaos', () => {
  it('runs for half an hour unless told otherwise', () => {
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

  it.each([['--minutes', '-1'], ['--target-rate', 'many'], ['--nonsense']])('refuses %s %s', (...argv) => {
    expect(() => parseChaosArguments(argv)).toThrow();
  });
});
