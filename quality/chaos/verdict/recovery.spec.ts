import type { Change, FaultRecord, ReceivedHook } from '../records';
import { explainDuplicates, measureRecoveries } from './recovery';

const fault = (kind: string, startedAt: number, backAt: number): FaultRecord => ({
  description: kind,
  kind,
  startedAt,
  backAt,
  error: null,
});

/** A completion that was asked for at one time and delivered at another. */
function delivery(id: string, sentAt: number, at: number): { change: Change; hook: ReceivedHook } {
  return {
    change: {
      entity: 'submission',
      operation: 'create',
      outcome: 'acknowledged',
      status: 201,
      sentAt,
      doneAt: sentAt + 1,
      entityId: id,
      formId: '1',
      revision: '1',
      marker: id,
      events: ['submission.completed'],
    },
    hook: {
      at,
      path: '/r/1',
      hookId: `h${id}`,
      event: 'submission_completed',
      entityId: id,
      revision: '1',
      marker: id,
      digest: 'd',
      answered: 200,
    },
  };
}

const measure = (faults: FaultRecord[], deliveries: ReturnType<typeof delivery>[]) =>
  measureRecoveries(
    faults,
    deliveries.map(({ change }) => change),
    deliveries.map(({ hook }) => hook),
  );

describe('recovery', () => {
  it('is the time to the first delivery of a change made since the fault began', () => {
    const old = delivery('1', 500, 2_100);
    const fresh = delivery('2', 1_500, 2_700);
    expect(measure([fault('kill', 1_000, 2_000)], [old, fresh])).toEqual([
      expect.objectContaining({ downMs: 1_000, recoveryMs: 700, disturbed: false }),
    ]);
  });

  it('counts from the end of another fault that came between', () => {
    const faults = [fault('kill', 1_000, 2_000), fault('postgres-restart', 2_100, 4_000)];
    const [first] = measure(faults, [delivery('2', 1_500, 4_300)]);
    expect(first).toMatchObject({ recoveryMs: 300, disturbed: true });
  });

  it('takes what piled up behind a fault that was there already for a flow', () => {
    const faults = [fault('rabbitmq-restart', 1_000, 5_000), fault('kill', 4_000, 4_500)];
    const [, kill] = measure(faults, [delivery('2', 1_500, 5_200), delivery('3', 4_200, 9_000)]);
    expect(kill).toMatchObject({ recoveryMs: 200, disturbed: true });
  });

  it('is unknown where nothing was delivered any more', () => {
    expect(measure([fault('kill', 1_000, 2_000)], [delivery('1', 500, 1_500)])[0]?.recoveryMs).toBeNull();
  });
});

describe('duplicates', () => {
  it('are told with the faults that were near the first delivery', () => {
    const { hook } = delivery('1', 0, 1_000);
    const again = [hook, { ...hook, at: 9_000 }, { ...hook, path: '/r/2', at: 1_000 }];
    expect(explainDuplicates(again, [fault('kill', 1_100, 2_000)], [])).toEqual({
      hooks: 1,
      byCause: { kill: 1 },
    });
    const asked = { hookId: again[0]!.hookId, endpointId: '7', sentAt: 1, outcome: 'acknowledged' } as const;
    expect(explainDuplicates(again, [], [asked])).toEqual({ hooks: 1, byCause: { 'resent on request': 1 } });
    expect(explainDuplicates(again, [], [])).toEqual({ hooks: 1, byCause: { 'no fault near': 1 } });
  });
});
