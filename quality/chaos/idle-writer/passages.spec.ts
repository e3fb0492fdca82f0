import { backlogGoneAfter, partsOf, throughputIn, type Passage } from './passages';

const passage = (id: string, acknowledgedAt: number | null, deliveredAt: number | null): Passage => ({
  id,
  acknowledgedAt,
  deliveredAt,
});

describe('the throughput of a span', () => {
  it('counts what was acknowledged and what was delivered in it, and the latency of the former', () => {
    const passages = [
      passage('1', 900, 1_100),
      passage('2', 1_000, 1_010),
      passage('3', 1_500, 1_490), // before the API's answer
      passage('4', 1_990, 2_090),
    ];
    expect(throughputIn(passages, { from: 1_000, to: 2_000 })).toEqual({
      acknowledgedPerSecond: 3,
      deliveredPerSecond: 3,
      p50: 10,
      p99: 100,
    });
  });

  it('takes what never came for infinitely late', () => {
    const { p50, deliveredPerSecond } = throughputIn([passage('1', 10, null)], { from: 0, to: 1_000 });
    expect([p50, deliveredPerSecond]).toEqual([Infinity, 0]);
  });

  it('is told of parts of one length', () => {
    expect(partsOf({ from: 0, to: 10 }, 2)).toEqual([
      { from: 0, to: 5 },
      { from: 5, to: 10 },
    ]);
  });
});

describe('the backlog', () => {
  it("is gone when all that was acknowledged before, and the idle writer's own, was delivered", () => {
    const passages = [passage('1', 90, 150), passage('own', null, 180), passage('2', 110, 900)];
    expect(backlogGoneAfter(passages, 100, ['own'])).toBe(80);
  });

  it('is not gone while one of them is missing', () => {
    expect(backlogGoneAfter([passage('1', 90, null)], 100, [])).toBeNull();
    expect(backlogGoneAfter([passage('1', 90, 95)], 100, ['own'])).toBeNull();
  });

  it('is told of ten minutes of changes, too', () => {
    const many = Array.from({ length: 300_000 }, (_, n) => passage(String(n), 90, 100 + (n % 50)));
    expect(backlogGoneAfter(many, 100, [])).toBe(49);
  });

  it('was none when everything had been delivered before', () => {
    expect(backlogGoneAfter([passage('1', 90, 95)], 100, [])).toBe(0);
  });
});
