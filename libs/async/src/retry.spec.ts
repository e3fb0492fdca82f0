import { retry } from './retry';

/** Fails `failures` times, then returns the number of its calls. */
function flaky(failures: number) {
  let calls = 0;
  return () => {
    calls += 1;
    return calls > failures ? Promise.resolve(calls) : Promise.reject(new Error(`failure ${calls}`));
  };
}

test('returns the first result', async () => {
  const delays: number[] = [];
  const delay = (failures: number) => (delays.push(failures), 1);
  expect(await retry(flaky(3), { delay })).toBe(4);
  expect(delays).toEqual([1, 2, 3]);
});

test('calls at most `times` times and rejects with the last error', async () => {
  await expect(retry(flaky(3), { times: 3, delay: 0 })).rejects.toThrow('failure 3');
  expect(await retry(flaky(3), { times: 4, delay: 0 })).toBe(4);
});

test('a failure after the deadline is final', async () => {
  const started = performance.now();
  await expect(retry(flaky(Infinity), { deadlineMs: 30, delay: 5 })).rejects.toThrow('failure');
  expect(performance.now() - started).toBeGreaterThanOrEqual(30);
});

test('an error that `when` rejects is final', async () => {
  const when = (error: unknown) => (error as Error).message === 'failure 1';
  await expect(retry(flaky(5), { when, delay: 0 })).rejects.toThrow('failure 2');
});

test('an abort ends the waiting with its reason', async () => {
  const abort = new AbortController();
  const waiting = retry(flaky(Infinity), { delay: 3_600_000, signal: abort.signal });
  abort.abort(new Error('stopping'));
  await expect(waiting).rejects.toThrow('stopping');
  await expect(retry(flaky(1), { delay: 0, signal: abort.signal })).rejects.toThrow('stopping');
});
