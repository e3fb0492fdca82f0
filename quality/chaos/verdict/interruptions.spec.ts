import { compareResends, measureInterruptions } from './interruptions';
import { noFindings, type Evidence } from './verdict';

/** Leased when a sender was killed at 1000, until 5000. */
const leased = (attemptedAt: number | null, status = 'delivered') => ({
  deliveryId: '5',
  killedAt: 1_000,
  leaseUntil: 5_000,
  attemptedAt,
  status,
});

const measure = (deliveries: ReturnType<typeof leased>[], longestResendMs: number | null) => {
  const findings = noFindings();
  const stored = {
    entities: [],
    versions: new Map(),
    deliveries: new Map(),
    copyFaults: [],
    leased: deliveries,
  };
  return { ...measureInterruptions({ stored, longestResendMs }, findings), late: findings.late };
};

describe('deliveries of a killed sender', () => {
  it('are told with the longest time until they were sent again', () => {
    expect(measure([leased(31_000), leased(33_500)], 60_000)).toEqual({
      kills: 1,
      deliveries: 2,
      longestMs: 32_500,
      late: [],
    });
    expect(measure([], 60_000)).toMatchObject({ kills: 0, longestMs: null });
  });

  it('are a finding when they come later than promised, but not in a short run', () => {
    expect(measure([leased(62_000)], 60_000).late.join()).toMatch(/only after 61000 ms/);
    expect(measure([leased(62_000)], null).late).toEqual([]);
  });

  it('are not those that were recorded under their lease, be it by a statement that began before the kill', () => {
    expect(measure([leased(4_000), leased(900)], 60_000)).toEqual({
      kills: 0,
      deliveries: 0,
      longestMs: null,
      late: [],
    });
  });

  it('are a finding when they never come, unless their endpoint was removed', () => {
    expect(measure([leased(null, 'pending')], null).late).toHaveLength(1);
    expect(measure([leased(null, 'cancelled')], null).late).toEqual([]);
  });
});

describe('a delivery resent on request', () => {
  const findingsFor = (acceptedAt: number, outcome: 'acknowledged' | 'refused', status = 'delivered') => {
    const findings = noFindings();
    const hook = { at: acceptedAt, path: '/r/1', hookId: '9', answered: 200 };
    const evidence = {
      hooks: [hook],
      stored: { deliveries: new Map([['9 7', status]]) },
      resends: [{ hookId: '9', endpointId: '7', sentAt: 500, outcome }],
    } as unknown as Evidence;
    compareResends(evidence, findings);
    return findings.lost;
  };

  it('has to come after the request', () => {
    expect(findingsFor(600, 'acknowledged')).toEqual([]);
    expect(findingsFor(400, 'acknowledged')).toHaveLength(1);
  });

  it('need not come when it was refused, or its endpoint removed', () => {
    expect(findingsFor(400, 'refused')).toEqual([]);
    expect(findingsFor(400, 'acknowledged', 'cancelled')).toEqual([]);
  });
});
