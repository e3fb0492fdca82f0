import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** How long to go on trying; 45 s unless told, because the machine may be busy. */
  timeoutMs?: number;
  /** What was waited for, for the failure. */
  message?: string;
}

/**
 * Calls `fn` until it neither throws nor returns `false`, and gives its value; then a spec needs no sleep. Fails with
 * the last error when the time is over. Polls every 10 ms at first, every 200 ms later.
 */
export async function eventually<T>(fn: () => Promise<T> | T, options: EventuallyOptions = {}): Promise<T> {
  const timeoutMs = options.timeoutMs ?? 45_000;
  const deadline = performance.now() + timeoutMs;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    let failure: unknown;
    try {
      const value = await fn();
      if (value !== false) return value;
      failure = new Error('it stayed false');
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= deadline) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      throw new Error(`Not within ${timeoutMs} ms: ${options.message ?? 'the expected state'}: ${reason}`, {
        cause: failure,
      });
    }
    await sleep(pause);
  }
}
