/** Receives webhooks as fast as it can and notes when each came. */
import { webhookSink, type WebhookSink } from '@canvass/testing';
import { serveApi } from '../child';
import { monotonicMs } from '../monotonic';

/** The first id in a body: the submission that a message is about. */
const submissionId = /"submissionId":"(\d+)"/;

let sink: WebhookSink;
let count = 0;
let ids: string[] | null = null;
let times: number[] = [];
let wanted = Infinity;
let reached: () => void = () => undefined;

const api = {
  /** Returns the URL. */
  async listen(): Promise<string> {
    sink = await webhookSink({ keep: false });
    sink.respond(({ body }) => {
      if (ids !== null) {
        times.push(monotonicMs());
        ids.push(submissionId.exec(body.toString('latin1'))?.[1] ?? '');
      }
      count += 1;
      if (count === wanted) reached();
      return { status: 204 };
    });
    return sink.url;
  },

  /** Forgets what came. With `keep` it notes the submission and the time of each request from now on. */
  reset(keep: boolean): void {
    [count, ids, times, wanted] = [0, keep ? [] : null, [], Infinity];
  },

  /** Waits until that many have come since `reset`. Returns the number that has. */
  async received(number: number, timeoutMs: number): Promise<number> {
    if (count < number) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, timeoutMs);
        wanted = number;
        reached = () => (clearTimeout(late), resolve());
      });
    }
    return count;
  },

  receipts: (): { ids: string[]; at: Float64Array } => ({ ids: ids ?? [], at: Float64Array.from(times) }),
};

export type SinkApi = typeof api;

serveApi(api);
