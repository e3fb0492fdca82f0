import { createWakeableSleep } from './wakeable-sleep';

/** A job that repeats. */
export interface Loop {
  /** Begins. A second call has no effect, nor has a call after `stop`. */
  start(): void;
  /** Runs the job now; while it runs, once more at once. */
  wake(): void;
  /** Starts no further run and waits for the running one. */
  stop(): Promise<void>;
}

export interface EveryOptions {
  /** Runs the job at `start`, not only after the first pause. */
  atOnce?: boolean;
  /**
   * Called with the error of a run, but not after `stop`. The loop continues. May return the next pause, as
   * the job may. Must not throw.
   */
  onError(error: unknown): number | void;
}

/**
 * Repeats a job with a pause of `ms` milliseconds after each run. Runs never overlap. The timer does not keep
 * the process alive.
 *
 * @param job gets a signal that `stop` aborts; may return the next pause in milliseconds in place of `ms`
 */
export function every(
  ms: number,
  job: (signal: AbortSignal) => Promise<number | void>,
  { atOnce = false, onError }: EveryOptions,
): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleeper = createWakeableSleep();
  let running: Promise<void> | undefined;

  async function run(): Promise<number | void> {
    try {
      return await job(signal);
    } catch (error) {
      if (!signal.aborted) return onError(error);
    }
  }

  async function repeat(): Promise<void> {
    if (!atOnce) await sleeper.sleep(ms);
    while (!signal.aborted) {
      const pause = (await run()) ?? ms;
      if (!signal.aborted) await sleeper.sleep(pause);
    }
  }

  return {
    start() {
      if (!signal.aborted) running ??= repeat();
    },
    wake: () => sleeper.wake(),
    async stop() {
      stopping.abort(new Error('The loop is stopped.'));
      sleeper.wake();
      await running;
    },
  };
}
