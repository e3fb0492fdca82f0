import { endpoint, ok } from '@canvass/service-kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRightOfWay, passing } from './right-of-way';

/** A promise that is settled from outside. */
function held(): { done: Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { done, end };
}

describe('right of way', () => {
  it('holds long work up until all that passes is finished, and not without it', async () => {
    const way = createRightOfWay();
    const order: string[] = [];
    await way.giveWay();
    const [first, second] = [held(), held()];
    const short = [first, second].map(({ done }, n) =>
      way.pass(() => done.then(() => order.push(`short ${n}`))),
    );
    const long = way.giveWay().then(() => order.push('long'));
    await sleep(0);
    first.end();
    await short[0];
    second.end();
    await Promise.all([...short, long]);
    expect(order).toEqual(['short 0', 'short 1', 'long']);
  });

  it('lets long work have half of the time, whatever passes', async () => {
    const way = createRightOfWay();
    const endless = held();
    const short = way.pass(() => endless.done);
    let [waited, own] = [0, 0];
    for (let step = 0; step < 60; step++) {
      const began = performance.now();
      await way.giveWay();
      const gone = performance.now();
      waited += gone - began;
      while (performance.now() < gone + 2);
      own += performance.now() - gone;
    }
    endless.end();
    await short;
    expect(waited).toBeGreaterThan(25);
    // The wait for a timer and for the processor is not the work's to give back.
    expect(waited).toBeLessThan(own * 2 + 100);
  });

  it('is free again after work that failed', async () => {
    const way = createRightOfWay();
    await expect(way.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const began = performance.now();
    for (let n = 0; n < 4; n++) await way.giveWay();
    expect(performance.now() - began).toBeLessThan(100);
  });

  it('is given to the requests of endpoints', async () => {
    const way = createRightOfWay();
    const request = held();
    const [one] = passing(way, [
      endpoint.read({
        method: 'get',
        path: '/a',
        access: 'public',
        handle: () => request.done.then(() => ok(1)),
      } as never),
    ]);
    const order: string[] = [];
    const answered = one!.handle({} as never).then(() => order.push('answer'));
    const long = way.giveWay().then(() => order.push('long'));
    await sleep(0);
    request.end();
    await Promise.all([answered, long]);
    expect(order).toEqual(['answer', 'long']);
  });
});
