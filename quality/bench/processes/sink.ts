/** Receives webhooks as fast as it can, and notes the time of each on request. */
import { webhookSink, monotonicMs } from '@canvass/testing';
import { serveApi } from '../../child';

/** The first id in a body: the measurement looks for the submission that a message is about. */
const submissionId = /"submissionId":"(\d+)"/;

let count = 0;
let firstAt: Map<string, number> | null = null;
let wanted = Infinity;
let reached: () => void = () => undefined;

const api = {
  /** Returns the URL. */
  async listen(): Promise<string> {
    const sink = await webhookSink({ keep: false });
    sink.respond(({ body }) => {
      const id = firstAt && submissionId.exec(body.toString('latin1'))?.[1];
      if (id && !firstAt!.has(id)) firstAt!.set(id, monotonicMs());
      count += 1;
      if (count === wanted) reached();
      return { status: 204 };
    });
    return sink.url;
  },

  /** Forgets what came. With `keep` it notes the submission and the time of each request from now on. */
  reset(keep: boolean): void {
    [count, firstAt, wanted] = [0, keep ? new Map() : null, Infinity];
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

  /** Monotonic milliseconds of the first request about each submission, by its id. */
  receipts: (): Map<string, number> => firstAt ?? new Map(),
};

export type SinkApi = typeof api;

serveApi(api);
