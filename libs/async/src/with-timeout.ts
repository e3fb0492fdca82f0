/** There was no result in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * The result of `work`; a `TimeoutError` if it takes longer than `ms` milliseconds. The result of late work
 * is ignored, even an error.
 *
 * @param work a promise, or a function, which gets a signal that the timeout aborts
 */
export async function withTimeout<T>(
  work: PromiseLike<T> | ((signal: AbortSignal) => PromiseLike<T>),
  ms: number,
  message = `no result within ${ms} ms`,
): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeoutError(message);
      abort.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([typeof work === 'function' ? work(abort.signal) : work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
