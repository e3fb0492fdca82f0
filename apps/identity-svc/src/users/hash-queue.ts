import { Problem } from '@canvass/errors';

/** libuv has four threads. One stays free for name resolution and files. */
const maxAtOnce = 3;
/** About two seconds of work. A client that waits longer would rather try again. */
const maxWaiting = 60;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs the computation of a password hash when there is a free thread. A hash takes 46 MiB and tens of
 * milliseconds, so that too many requests would use up memory and stop everything else.
 *
 * @throws {Problem} `service_unavailable` with `Retry-After` while 60 wait
 */
export async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting) {
      throw new Problem('service_unavailable', {
        detail: 'Too many passwords are being checked; try again soon.',
        headers: { 'Retry-After': '2' },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await compute();
  } finally {
    // The next one takes over this place.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
