import type { Change, FaultRecord, ReceivedHook } from '../records';
import { explainDuplicates, measureRecoveries } from './recovery';

const fault = (kind: string, startedAt: number, backAt: number): FaultRecord => ({
  description: kind,
  kind,
  startedAt,
  backAt,
  error: null,
});
const hook = (id: string, at: number, path = '/r/1') =>
  ({ id, key: `submission ${id}`, at, path, revision: '1', answered: 200 }) as ReceivedHook;

/** Recoveries with completions that were requested at one time and delivered at another. */
const measure = (faults: FaultRecord[], deliveries: [sentAt: number, at: number][]) =>
  measureRecoveries(
    faults,
    deliveries.map(([sentAt], n) => ({ key: `submission ${n}`, revision: '1', sentAt }) as Change),
    deliveries.map(([, at], n) => hook(`${n}`, at)),
  );

describe('recovery', () => {
  it('is the time to the first delivery of a change made since the fault began', () => {
    const deliveries: [number, number][] = [
      [500, 2_100],
      [1_500, 2_700],
    ];
    expect(measure([fault('kill', 1_000, 2_000)], deliveries)).toMatchObject([
      { downMs: 1_000, recoveryMs: 700, disturbed: false },
    ]);
  });

  it('counts from the end of another fault that came between', () => {
    const faults = [fault('kill', 1_000, 2_000), fault('postgres-restart', 2_100, 4_000)];
    expect(measure(faults, [[1_500, 4_300]])[0]).toMatchObject({ recoveryMs: 300, disturbed: true });
  });

  it('includes deliveries that waited behind an earlier fault', () => {
    const faults = [fault('rabbitmq-restart', 1_000, 5_000), fault('kill', 4_000, 4_500)];
    const deliveries: [number, number][] = [
      [1_500, 5_200],
      [4_200, 9_000],
    ];
    expect(measure(faults, deliveries)[1]).toMatchObject({ recoveryMs: 200, disturbed: true });
  });

  it('is unknown if nothing was delivered afterwards', () => {
    expect(measure([fault('kill', 1_000, 2_000)], [[500, 1_500]])[0]?.recoveryMs).toBeNull();
  });
});

describe('duplicates', () => {
  it('are counted by the faults near the first delivery', () => {
    const hooks = [hook('1', 1_000), hook('1', 9_000), hook('1', 1_000, '/r/2')];
    const resend = { hookId: '1', endpointId: '7', sentAt: 1, outcome: 'acknowledged' } as const;
    expect(explainDuplicates(hooks, [fault('kill', 1_100, 2_000)], [])).toEqual({
      hooks: 1,
      byCause: { kill: 1 },
    });
    expect(explainDuplicates(hooks, [], [resend]).byCause).toEqual({ 'resent on request': 1 });
    expect(explainDuplicates(hooks, [], []).byCause).toEqual({ 'no fault near': 1 });
  });
});
