import type { Database } from '@canvass/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScanTurns } from './scan-turns';

/** Longer than a read after which a tenant does not rest. */
const readMs = 120;

it.each(['part', 'whole'] as const)('a tenant does not rest after a short read: %s', async (kind) => {
  const inTurn = createScanTurns({ pool: { options: { max: 10 } } } as Database)[kind];
  await inTurn('1', () => sleep(10));
  let isRead = false;
  const again = inTurn('1', () => Promise.resolve((isRead = true)));
  await new Promise(setImmediate);
  expect(isRead).toBe(true);
  await again;
});

it('a page that reads a part does not wait for reads of all submissions', async () => {
  const { part, whole } = createScanTurns({ pool: { options: { max: 10 } } } as Database);
  const order: string[] = [];
  const read = whole('1', async () => {
    await sleep(readMs);
    order.push('whole');
  });
  await part('1', () => Promise.resolve(order.push('part')));
  await read;
  expect(order).toEqual(['part', 'whole']);
});

it('a tenant rests twice as long as a long read took, and another tenant does not wait', async () => {
  // Two turns: each tenant has one.
  const { whole: inTurn } = createScanTurns({ pool: { options: { max: 10 } } } as Database);
  const order: string[] = [];
  const read = (name: string) => async () => {
    order.push(name);
    await sleep(readMs);
  };
  await inTurn('1', read('first'));
  const endedAt = performance.now();
  const again = inTurn('1', read('again'));
  await inTurn('2', read('other'));
  expect(order).toEqual(['first', 'other']);
  await again;
  expect(order).toEqual(['first', 'other', 'again']);
  // Minus two milliseconds, because timers count whole ones.
  expect(performance.now() - endedAt).toBeGreaterThanOrEqual(3 * readMs - 2);
});
