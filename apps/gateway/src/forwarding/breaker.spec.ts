import { Breaker } from './breaker';
import type { Outcome } from './outcome';

function breaker() {
  const clock = { now: 0 };
  const tested = new Breaker({ Failures: 3, OpenMs: 100 }, () => clock.now);
  const record = (...outcomes: Outcome[]) => outcomes.forEach((outcome) => tested.record(outcome));
  return { clock, tested, record };
}

describe('the circuit breaker of a replica', () => {
  it('opens after so many failures in a row, and only then', () => {
    const { tested, record } = breaker();
    record('not_reached', 'broken', 'answered', 'timeout', 'timeout');
    expect(tested.admits()).toBe(true);
    record('timeout');
    expect([tested.isOpen, tested.admits()]).toEqual([true, false]);
  });

  it('ignores outcomes that a client or the gateway caused', () => {
    const { tested, record } = breaker();
    record('client_gone', 'client', 'saturated', 'client_gone');
    expect(tested.admits()).toBe(true);
  });

  it('admits one request in each interval, and closes with the first answer', () => {
    const { clock, tested, record } = breaker();
    record('timeout', 'timeout', 'timeout');
    clock.now = 100;
    expect([tested.admits(), tested.admits()]).toEqual([true, false]);
    record('not_reached');
    clock.now = 199;
    expect(tested.admits()).toBe(false);
    clock.now = 200;
    expect(tested.admits()).toBe(true);
    record('answered');
    expect([tested.isOpen, tested.admits(), tested.admits()]).toEqual([false, true, true]);
  });
});
