import type { Database } from '@canvass/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScanTurns } from './scan-turns';

const readMs = 60;

it('a tenant does not rest after a page that reads a part', async () => {
  const { part } = createScanTurns({ pool: { options: { max: 10 } } } as Database);
  await part('1', () => sleep(readMs));
  const endedAt = performance.now();
  await part('1', () => Promise.resolve());
  expect(performance.now() - endedAt).toBeLessThan(readMs);
});

it('a tenant rests twice as long as its read took, and another tenant does not wait', async () => {
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
