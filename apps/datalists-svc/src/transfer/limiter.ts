/** Limits the number of concurrent functions. The others wait in order. */
export function createLimiter(most: number): <T>(fn: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (fn) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await fn();
    } finally {
      // The slot is handed over directly, so that no later call takes it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
