import { processNames, serverNames } from './nemesis/targets';
import { planOf } from './plan';

/** What a fault is, without its functions. */
const textOf = (seed: string, seconds: number) =>
  planOf(seed, seconds).map(({ at, kind, description }) => `${at} ${kind} ${description}`);
const resourcesOf = (seed: string, seconds: number, wanted: string) =>
  new Set(planOf(seed, seconds).flatMap(({ kind, resource }) => (kind === wanted ? [resource] : [])));

describe('the plan of faults', () => {
  it('is the same for the same seed and differs for another', () => {
    expect(textOf('a', 300)).toEqual(textOf('a', 300));
    expect(textOf('a', 300)).not.toEqual(textOf('b', 300));
  });

  it('is in order of time and within the run', () => {
    const times = planOf('a', 1800).map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(1_800_000);
  });

  it.each(['a', 'b', 'c', '1', '2', '3'])('has enough of every kind in half an hour (seed %s)', (seed) => {
    const counts = new Map<string, number>();
    for (const { kind } of planOf(seed, 1800)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    expect(counts.size).toBe(7);
    for (const [kind, count] of counts) expect([kind, count >= 5]).toEqual([kind, true]);
    expect(counts.get('kill')).toBeGreaterThanOrEqual(105);
    expect(counts.get('rabbitmq-restart')).toBeGreaterThanOrEqual(11);
    expect(counts.get('postgres-restart')).toBeGreaterThanOrEqual(11);
  });

  it.each(['a', 'b', 'c'])('pauses every process and both servers in half an hour (seed %s)', (seed) => {
    expect(resourcesOf(seed, 1800, 'pause')).toEqual(new Set([...processNames, ...serverNames]));
  });

  it.each(['a', 'b', 'c'])(
    'has every short kind, and every process killed, in a short run (seed %s)',
    (seed) => {
      expect(new Set(planOf(seed, 90).map(({ kind }) => kind)).size).toBe(6);
      expect(resourcesOf(seed, 90, 'kill')).toEqual(new Set(processNames));
    },
  );

  it('has a description of every fault', () => {
    for (const text of textOf('a', 1800)) expect(text).not.toContain('undefined');
  });
});
