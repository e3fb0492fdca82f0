import type * as timers from 'node:timers/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRequestPriority } from './request-priority';

// Sleeps advance a simulated clock, so that a busy machine does not affect the measurement.
let mockTime = 0;
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual<typeof timers>('node:timers/promises'),
  setTimeout: (ms: number) => Promise.resolve((mockTime += ms)),
}));
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => mockTime);
});
afterEach(() => jest.restoreAllMocks());

/** The timeout of the wait fires at once. */
function timeOutAtOnce() {
  const timer = (run: (given: unknown) => void, ms: number, given: unknown) =>
    setImmediate(() => {
      mockTime += ms;
      run(given);
    });
  jest.spyOn(global, 'setTimeout').mockImplementation(timer as unknown as typeof setTimeout);
}

/** A promise that the test settles. */
function held(): { done: Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { done, end };
}

/** The pause at each 1 ms step of long work, in milliseconds. */
async function longWork(yieldNow: () => Promise<void>, steps: number): Promise<number[]> {
  const given: number[] = [];
  for (let step = 0; step < steps; step++) {
    const done = ++mockTime;
    await yieldNow();
    given.push(mockTime - done);
  }
  return given;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe('request priority', () => {
  it('pauses long work until all running requests are answered', async () => {
    const priority = createRequestPriority();
    const order: string[] = [];
    const [first, second] = [held(), held()];
    const requests = [first, second].map(({ done }, n) =>
      priority.prioritise(() => done.then(() => order.push(`request ${n}`))),
    );
    const long = priority
      .yieldToRequests()()
      .then(() => order.push('long'));
    await nextTurn();
    first.end();
    await requests[0];
    second.end();
    await Promise.all([...requests, long]);
    expect(order).toEqual(['request 0', 'request 1', 'long']);
  });

  it('pauses for twice the time worked for a second after a request, and never without requests', async () => {
    const priority = createRequestPriority();
    expect(sum(await longWork(priority.yieldToRequests(), 500))).toBe(0);
    await priority.prioritise(() => Promise.resolve());
    const given = await longWork(priority.yieldToRequests(), 500);
    expect(given.filter((ms) => ms > 0)).toEqual(Array.from({ length: 34 }, () => 20));
    expect(sum(given.slice(340))).toBe(0);
  });

  it('leaves long work a quarter of the time under any load', async () => {
    timeOutAtOnce();
    const priority = createRequestPriority();
    const endless = held();
    const request = priority.prioritise(() => endless.done);
    const given = sum(await longWork(priority.yieldToRequests(), 1_000));
    endless.end();
    await request;
    expect(given).toBeGreaterThan(2_000);
    expect(given).toBeLessThanOrEqual(3_025);
  });

  it('ends with a failed request', async () => {
    const priority = createRequestPriority();
    await expect(priority.prioritise(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    mockTime += 1_001;
    expect(sum(await longWork(priority.yieldToRequests(), 100))).toBe(0);
  });
});
