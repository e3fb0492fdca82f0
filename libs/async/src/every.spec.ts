import { every, type Loop } from './every';

const open: Loop[] = [];
afterEach(() => Promise.all(open.splice(0).map((loop) => loop.stop())));

const hour = 3_600_000;
const fail = (error: unknown) => {
  throw error;
};

/** A loop that is stopped after the test, and a promise of its n-th run. */
function counted(
  job: (run: number, signal: AbortSignal) => Promise<number | void>,
  ms = hour,
  atOnce = true,
) {
  let runs = 0;
  const reached = new Map<number, () => void>();
  const errors: unknown[] = [];
  const loop = every(
    ms,
    (signal) => {
      runs += 1;
      reached.get(runs)?.();
      return job(runs, signal);
    },
    { atOnce, onError: (error) => void errors.push(error) },
  );
  open.push(loop);
  return {
    loop,
    errors,
    runs: () => runs,
    run: (n: number) => (runs >= n ? Promise.resolve() : new Promise<void>((go) => reached.set(n, go))),
  };
}

test('runs at start if asked to, then after each pause', async () => {
  const { loop, run, runs } = counted(() => Promise.resolve(), 5);
  expect(runs()).toBe(0);
  loop.start();
  expect(runs()).toBe(1);
  await run(3);
});

test('without `atOnce` the first run comes after a pause', async () => {
  const { loop, run, runs } = counted(() => Promise.resolve(), 5, false);
  loop.start();
  expect(runs()).toBe(0);
  await run(1);
});

test('a wake ends the pause; a wake during a run causes one more run at once', async () => {
  let finish: () => void = () => undefined;
  const { loop, run, runs } = counted((n) =>
    n === 2 ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve(),
  );
  loop.start();
  await run(1);
  loop.wake();
  await run(2);
  loop.wake();
  loop.wake();
  finish();
  await run(3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs()).toBe(3);
});

test('the job may return the next pause', async () => {
  const { loop, run, runs } = counted(() => Promise.resolve(1));
  loop.start();
  await run(3);
  expect(runs()).toBeGreaterThanOrEqual(3);
});

test('an error goes to `onError`, which may return the next pause, and the loop continues', async () => {
  const errors: unknown[] = [];
  const again = await new Promise<boolean>((resolve) => {
    const loop = every(
      hour,
      () => {
        if (errors.length > 0) resolve(true);
        return Promise.reject(new Error('away'));
      },
      { atOnce: true, onError: (error) => (errors.push(error), 1) },
    );
    open.push(loop);
    loop.start();
  });
  expect(again).toBe(true);
  expect(errors[0]).toEqual(new Error('away'));
});

test('stop aborts the signal, waits for the run, and hides its error', async () => {
  let ended = false;
  const { loop, runs, errors } = counted(async (_run, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise((resolve) => setTimeout(resolve, 10));
    ended = true;
    fail(signal.reason);
  });
  loop.start();
  await loop.stop();
  expect([ended, runs(), errors]).toEqual([true, 1, []]);
  loop.start();
  loop.wake();
  await loop.stop();
  expect(runs()).toBe(1);
});

test('stop ends a pause at once', async () => {
  const { loop, runs } = counted(() => Promise.resolve(), hour, false);
  loop.start();
  await loop.stop();
  expect(runs()).toBe(0);
});
