/** A sleep that `wake` ends early. A `wake` before the sleep ends the next sleep at once. */
export interface WakeableSleep {
  /** Returns whether it was ended early. Its timer does not keep the process alive. */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
}

export function createWakeableSleep(): WakeableSleep {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    async sleep(ms) {
      if (!woken && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms).unref();
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      const early = woken;
      woken = false;
      return early;
    },
    wake() {
      woken = true;
      end?.();
    },
  };
}
