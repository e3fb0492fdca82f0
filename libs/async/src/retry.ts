import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /** Returns whether to retry after this error; by default after any. */
  when?(error: unknown): boolean;
  /** Maximum number of calls, the first included; by default unlimited. */
  times?: number;
  /** Time after the first call, in milliseconds, at which a failure is final; by default unlimited. */
  deadlineMs?: number;
  /** Milliseconds before the next call, by the number of failures so far (from 1). */
  delay: number | ((failures: number) => number);
  /** The signal to stop. After its abort there is no further call: rejects with its reason. */
  signal?: AbortSignal;
}

/** The result of `fn`, which is called again after a failure. Rejects with the last error of `fn`. */
export async function retry<T>(fn: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { when = () => true, times = Infinity, deadlineMs = Infinity, delay, signal } = options;
  const started = performance.now();
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await fn();
    } catch (error) {
      const isFinal = failures >= times || performance.now() - started >= deadlineMs;
      if (isFinal || !when(error)) throw error;
    }
    const ms = typeof delay === 'number' ? delay : delay(failures);
    if (ms > 0) await sleep(ms, undefined, signal && { signal }).catch(() => undefined);
  }
}
