import { createColumnCache } from './column-cache';

it('keeps no more entries than fit, also of lists without items', async () => {
  const cache = createColumnCache(100_000);
  let loads = 0;
  const read = (list: number) =>
    cache.get(String(list), '1', 'value', () => {
      loads++;
      return Promise.resolve({ value: list, bytes: 0 });
    });
  for (let list = 0; list < 1000; list++) await read(list);
  expect(cache.bytes()).toBeLessThanOrEqual(100_000);
  loads = 0;
  await read(999);
  expect(loads).toBe(0);
  await read(0);
  expect(loads).toBe(1);
});
