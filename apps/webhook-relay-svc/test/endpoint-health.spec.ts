import { healthAfter, healthEventOf, signalOf } from '../src/pipeline/endpoint-health';

const breaker = { failures: 5, pauseSeconds: 2, maxPauseSeconds: 30 };
const limits = { maxInFlight: 5, retryAfterMs: null };
const latest = () => 0;

describe('what an attempt shows about its endpoint', () => {
  it.each([
    ['success', 200, 'success'],
    ['http_5xx', 500, 'failure'],
    ['http_5xx', 503, 'failure'],
    ['http_4xx', 429, 'failure'],
    ['timeout', null, 'failure'],
    ['connection_refused', null, 'failure'],
    ['http_4xx', 400, null],
    ['http_3xx', 301, null],
    ['secret_unreadable', null, null],
    ['blocked_address', null, null],
  ] as const)('%s %s: %s', (outcome, status, signal) => expect(signalOf(outcome, status)).toBe(signal));
});

describe('the state of an endpoint', () => {
  it('halves the slots with each failure, then doubles the pause each time, up to the maximum', () => {
    let health = { slots: 5, failures: 0 };
    const seen = Array.from({ length: 10 }, () => {
      const after = healthAfter(health, 'failure', limits, breaker, latest);
      health = after;
      return [after.slots, after.pauseMs];
    });
    expect(seen).toEqual([
      [2, null],
      [1, null],
      [1, null],
      [1, null],
      [1, 2_000],
      [1, 4_000],
      [1, 8_000],
      [1, 16_000],
      [1, 30_000],
      [1, 30_000],
    ]);
  });

  it('ends a pause with one success, and gives one back with each', () => {
    const first = healthAfter({ slots: 1, failures: 9 }, 'success', limits, breaker);
    expect(first).toEqual({ slots: 2, failures: 0, pauseMs: null });
    expect(healthAfter({ slots: 5, failures: 0 }, 'success', limits, breaker).slots).toBe(5);
  });

  it('pauses as long as the receiver asks, up to the maximum', () => {
    const asked = (retryAfterMs: number) =>
      healthAfter({ slots: 5, failures: 0 }, 'failure', { maxInFlight: 5, retryAfterMs }, breaker, latest)
        .pauseMs;
    expect([asked(7_000), asked(3_600_000)]).toEqual([7_000, 30_000]);
  });

  it('does not resume earlier than the receiver asks', () => {
    const asked = (retryAfterMs: number, failures: number) =>
      healthAfter({ slots: 5, failures }, 'failure', { maxInFlight: 5, retryAfterMs }, breaker, () => 1)
        .pauseMs;
    expect([asked(7_000, 0), asked(3_000, 5), asked(3_600_000, 9)]).toEqual([7_000, 3_200, 30_000]);
  });

  it('resumes up to a fifth sooner, so that many endpoints do not resume in step', () => {
    const { pauseMs } = healthAfter({ slots: 1, failures: 5 }, 'failure', limits, breaker, () => 1);
    expect(pauseMs).toBe(3_200);
  });
});

describe('the health events of an endpoint', () => {
  const settings = { breaker, disableAfterSeconds: 100 };
  const before = { is_disabled: false, reported_failing: false, failing_seconds: null };

  it.each([
    ['the last failure before it is paused', {}, 'failure', 4, null],
    ['its pause', {}, 'failure', 5, 'failing'],
    ['a longer pause, that was not reported', {}, 'failure', 9, 'failing'],
    ['a longer pause', { reported_failing: true }, 'failure', 6, null],
    ['a success after that', { reported_failing: true }, 'success', 0, 'recovered'],
    ['a success after failures that were not reported', {}, 'success', 0, null],
    [
      'too long without a success',
      { reported_failing: true, failing_seconds: 101 },
      'failure',
      7,
      'disabled',
    ],
    ['failures of a disabled one', { is_disabled: true, failing_seconds: 101 }, 'failure', 7, null],
    ['a success of a disabled one', { is_disabled: true, reported_failing: true }, 'success', 0, null],
  ] as const)('%s', (_what, change, sign, failures, news) =>
    expect(healthEventOf({ ...before, ...change }, sign, failures, settings)).toBe(news),
  );
});
