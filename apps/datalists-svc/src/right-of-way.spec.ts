import { endpoint, ok } from '@canvass/service-kit';
import type * as timers from 'node:timers/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRightOfWay, passing } from './right-of-way';

// What is slept is added to a clock of our own: a busy machine must not decide what is measured.
let mockTime = 0;
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual<typeof timers>('node:timers/promises'),
  setTimeout: (ms: number) => Promise.resolve((mockTime += ms)),
}));
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => mockTime);
});
afterEach(() => jest.restoreAllMocks());

/** The time-out of what is waited for comes at once. */
function timeOutAtOnce() {
  const timer = (run: (given: unknown) => void, ms: number, given: unknown) =>
    setImmediate(() => {
      mockTime += ms;
      run(given);
    });
  jest.spyOn(global, 'setTimeout').mockImplementation(timer as never);
}

/** A promise that is settled from outside. */
function held(): { done: Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { done, end };
}

/** Milliseconds that long work of so many steps of 1 ms gave, at each of them. */
async function longWork(giveWay: () => Promise<void>, steps: number): Promise<number[]> {
  const given: number[] = [];
  for (let step = 0; step < steps; step++) {
    const done = ++mockTime;
    await giveWay();
    given.push(mockTime - done);
  }
  return given;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe('right of way', () => {
  it('holds long work up until all requests under way are answered', async () => {
    const way = createRightOfWay();
    const order: string[] = [];
    const [first, second] = [held(), held()];
    const requests = [first, second].map(({ done }, n) =>
      way.pass(() => done.then(() => order.push(`request ${n}`))),
    );
    const long = way
      .longWork()()
      .then(() => order.push('long'));
    await nextTurn();
    first.end();
    await requests[0];
    second.end();
    await Promise.all([...requests, long]);
    expect(order).toEqual(['request 0', 'request 1', 'long']);
  });

  it('rests for twice as long as was worked for a second after a request, and not at all without one', async () => {
    const way = createRightOfWay();
    expect(sum(await longWork(way.longWork(), 500))).toBe(0);
    await way.pass(() => Promise.resolve());
    const given = await longWork(way.longWork(), 500);
    expect(given.filter((ms) => ms > 0)).toEqual(Array.from({ length: 34 }, () => 20));
    expect(sum(given.slice(340))).toBe(0);
  });

  it('leaves long work a quarter of the time, however many requests there are', async () => {
    timeOutAtOnce();
    const way = createRightOfWay();
    const endless = held();
    const request = way.pass(() => endless.done);
    const given = sum(await longWork(way.longWork(), 1_000));
    endless.end();
    await request;
    expect(given).toBeGreaterThan(2_000);
    expect(given).toBeLessThanOrEqual(3_025);
  });

  it('is free again after a request that failed', async () => {
    const way = createRightOfWay();
    await expect(way.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    mockTime += 1_001;
    expect(sum(await longWork(way.longWork(), 100))).toBe(0);
  });

  it('is had by the requests of endpoints', async () => {
    const way = createRightOfWay();
    const request = held();
    const read = { method: 'get', path: '/a', access: 'public', operationId: 'a', summary: 'a' } as const;
    const [one] = passing(way, [
      endpoint.read({ ...read, handle: () => request.done.then(() => ok(1)) } as never),
    ]);
    const order: string[] = [];
    const answered = one!.handle({} as never).then(() => order.push('answer'));
    const long = way
      .longWork()()
      .then(() => order.push('long'));
    await nextTurn();
    request.end();
    await Promise.all([answered, long]);
    expect(order).toEqual(['answer', 'long']);
  });
});
