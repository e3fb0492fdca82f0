import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 45 s, because the machine may be busy. */
  timeoutMs?: number;
  /** The expected state, for the error message. */
  message?: string;
}

/**
 * Calls `fn` until it neither throws nor returns `false`, and returns its value. Fails with the last error
 * after the timeout. The pause between calls grows from 10 ms to 200 ms.
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
