/** A wait that can be cut short; a wake-up that comes while nobody waits is kept for the next wait. */
export class Waker {
  private pending = false;
  private end: (() => void) | undefined;

  wake(): void {
    this.pending = true;
    this.end?.();
  }

  /** Waits for a wake-up, the time (milliseconds) or the signal, whichever is first. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.pending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const end = this.end;
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end);
      });
    }
    this.pending = false;
    this.end = undefined;
  }
}
