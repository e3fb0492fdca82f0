import type { Change, FaultRecord, ReceivedHook } from '../records';
import { noFindings } from './evidence';
import { measureIdleWriter, ownOperation } from './idle-writer';

interface Passage {
  acknowledgedAt: number;
  deliveredAt: number | null;
  isOwn?: boolean;
}

/** Idle from second 10 to 50: one submission a second, delivered 10 ms later, and one of the writer's own. */
const committedAt = 50_000;
const own = { acknowledgedAt: committedAt, deliveredAt: committedAt + 300, isOwn: true };
const steady = (): Passage[] =>
  Array.from({ length: 52 }, (_, n) => ({ acknowledgedAt: n * 1_000 + 500, deliveredAt: n * 1_000 + 510 }));

function measure(passages: Passage[]) {
  const findings = noFindings();
  const fault = { kind: 'idle-writer', startedAt: 10_000, backAt: committedAt + 1, deadRows: { outbox: 7 } };
  const changes = passages.map(({ acknowledgedAt, isOwn }, n) => ({
    operation: isOwn ? ownOperation : 'create',
    outcome: 'acknowledged',
    events: ['submission.completed'],
    doneAt: acknowledgedAt,
    key: `submission ${n}`,
  }));
  const hooks = passages
    .map(({ deliveredAt }, n) => ({ key: `submission ${n}`, at: deliveredAt, answered: 200 }))
    .filter(({ at }) => at !== null);
  const result = measureIdleWriter(
    {
      changes: changes as unknown as Change[],
      hooks: hooks as ReceivedHook[],
      faults: [fault as unknown as FaultRecord],
    },
    findings,
  );
  return { result, findings };
}

it('measures rates, latencies, the backlog and the time until it was drained', () => {
  const passages = [...steady(), own, { acknowledgedAt: 49_900, deliveredAt: 50_080 }];
  const { result, findings } = measure(passages);
  expect(findings).toEqual(noFindings());
  expect(result).toMatchObject({ backlog: 1, drainedMs: 300, deadRows: { outbox: 7 } });
  expect(result?.spans).toHaveLength(7);
  expect(result?.spans[0]).toMatchObject({ deliveredPerSecond: 1, ofNormal: 1, p50: 10, p99: 10 });
  expect(result?.spans[1]).toMatchObject({ acknowledgedPerSecond: 41 / 40, p50: 10, p99: 180 });
});

const without = (keep: (passage: Passage, n: number) => boolean) => [...steady().filter(keep), own];

it.each<[string, 'late' | 'phantom', RegExp, Passage[]]>([
  ['less throughput', 'late', /fell to 0.80 of normal/, without((_, n) => n < 10 || n % 5 > 0)],
  [
    'less throughput at the end',
    'late',
    /last fifth throughput was 0.50/,
    without((_, n) => n < 42 || n % 2 > 0),
  ],
  ['a backlog that is never drained', 'late', /not drained/, [...steady(), { ...own, deliveredAt: null }]],
  ['a backlog that is drained late', 'late', /not drained/, [...steady(), { ...own, deliveredAt: 111_001 }]],
  [
    'no normal load',
    'late',
    /nothing was delivered before/,
    without(({ acknowledgedAt }) => acknowledgedAt > 10_000),
  ],
  [
    'an event before its commit',
    'phantom',
    /before its change was committed/,
    [...steady(), { ...own, deliveredAt: 9 }],
  ],
])('reports %s', (_what, kind, finding, passages) => {
  expect(measure(passages).findings[kind].join()).toMatch(finding);
});

it('accepts nine tenths of the normal throughput', () => {
  expect(measure(without((_, n) => n < 10 || n % 10 > 0)).findings).toEqual(noFindings());
});
