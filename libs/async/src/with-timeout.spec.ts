import { TimeoutError, withTimeout } from './with-timeout';

const hour = 3_600_000;
const never = new Promise<never>(() => undefined);

test('returns a result in time, from a promise or a function', async () => {
  expect(await withTimeout(Promise.resolve(1), hour)).toBe(1);
  expect(await withTimeout(() => Promise.resolve(2), hour)).toBe(2);
});

test('rejects with the error of the work', async () => {
  await expect(withTimeout(Promise.reject(new Error('away')), hour)).rejects.toThrow('away');
  const failing = () => {
    throw new Error('at once');
  };
  await expect(withTimeout(failing, hour)).rejects.toThrow('at once');
});

test('rejects with a TimeoutError after the time', async () => {
  await expect(withTimeout(never, 5)).rejects.toEqual(new TimeoutError('no result within 5 ms'));
  await expect(withTimeout(never, 5, 'too slow')).rejects.toThrow(TimeoutError);
  await expect(withTimeout(never, 5, 'too slow')).rejects.toThrow('too slow');
});

test('the timeout aborts the signal; late errors are ignored', async () => {
  let signal: AbortSignal | undefined;
  const late = withTimeout((given) => {
    signal = given;
    return new Promise((_, reject) => given.addEventListener('abort', () => reject(new Error('late'))));
  }, 5);
  await expect(late).rejects.toThrow();
  expect(signal?.reason).toBeInstanceOf(TimeoutError);
});
