/** A sleep that can be ended early; a call of `wake` before it makes the next sleep end at once. */
export interface Nap {
  /** Gives whether it was ended early. */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
}

export function createNap(): Nap {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    async sleep(ms) {
      if (!woken && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
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
