/** Receives webhooks as fast as it can. */
import { webhookSink } from '@canvass/testing';
import { serveApi } from '../../child';

let count = 0;
let wanted = Infinity;
let reached: () => void = () => undefined;

const api = {
  /** Returns the URL. */
  async listen(): Promise<string> {
    const sink = await webhookSink({ keep: false });
    sink.respond(() => {
      count += 1;
      if (count === wanted) reached();
      return { status: 204 };
    });
    return sink.url;
  },

  /** Forgets what came. */
  reset(): void {
    [count, wanted] = [0, Infinity];
  },

  /** Waits until so many have come since `reset`; returns the number that has. */
  async received(number: number, timeoutMs: number): Promise<number> {
    if (count < number) {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, timeoutMs);
        wanted = number;
        reached = () => (clearTimeout(timeout), resolve());
      });
    }
    return count;
  },
};

export type SinkApi = typeof api;

serveApi(api);
