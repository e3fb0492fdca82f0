import { describeFault, planOf, processNames, serverNames } from './plan';

const count = (plan: ReturnType<typeof planOf>, kind: string) =>
  plan.filter((fault) => fault.kind === kind).length;

describe('the plan of faults', () => {
  it('is the same for the same seed and another for another', () => {
    expect(planOf('a', 300)).toEqual(planOf('a', 300));
    expect(planOf('a', 300)).not.toEqual(planOf('b', 300));
  });

  it('is in the order of time and ends in time', () => {
    const times = planOf('a', 1800).map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(1_800_000);
  });

  it.each(['a', 'b', 'c', '1', '2', '3'])('has enough of everything in half an hour (seed %s)', (seed) => {
    const plan = planOf(seed, 1800);
    expect(count(plan, 'kill')).toBeGreaterThanOrEqual(105);
    expect(count(plan, 'rabbitmq-restart')).toBeGreaterThanOrEqual(11);
    expect(count(plan, 'postgres-restart')).toBeGreaterThanOrEqual(11);
    const kinds = [
      'pause',
      'close-connections',
      'alarm',
      'terminate-backends',
      'link',
      'queue-full',
      'receiver',
    ];
    for (const kind of [...kinds, 'idle-transaction']) expect(count(plan, kind)).toBeGreaterThanOrEqual(5);
  });

  it.each(['a', 'b', 'c'])('pauses every process and both servers in half an hour (seed %s)', (seed) => {
    const paused = planOf(seed, 1800).flatMap((fault) => (fault.kind === 'pause' ? [fault.process] : []));
    expect(new Set(paused)).toEqual(new Set([...processNames, ...serverNames]));
  });

  it.each(['a', 'b', 'c'])('has every kind, and every process killed, in a short run (seed %s)', (seed) => {
    const plan = planOf(seed, 90);
    expect(new Set(plan.map(({ kind }) => kind)).size).toBe(11);
    const killed = plan.flatMap((fault) => (fault.kind === 'kill' ? [fault.process] : []));
    expect(new Set(killed)).toEqual(new Set(processNames));
  });

  it('can be told in words', () => {
    for (const fault of planOf('a', 1800)) expect(describeFault(fault)).not.toContain('undefined');
  });
});
