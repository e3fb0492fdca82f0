/** Receives webhooks as fast as it can and remembers when each came. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveApi } from '../child';
import { monotonicMs } from '../monotonic';

/** The first id in a body: the sample looks for the submission that a message is about. */
const submissionId = /"submissionId":"(\d+)"/;

let count = 0;
let ids: string[] | null = null;
let times: number[] = [];
let wanted = Infinity;
let reached: () => void = () => undefined;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (ids !== null) {
      times.push(monotonicMs());
      ids.push(submissionId.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '');
    }
    response.writeHead(204).end();
    count += 1;
    if (count === wanted) reached();
  });
});
server.keepAliveTimeout = 60_000;

const api = {
  listen: () =>
    new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    }),

  /** Forgets what came. With `keep` it notes the submission and the time of each request from now on. */
  reset(keep: boolean): void {
    [count, ids, times, wanted] = [0, keep ? [] : null, [], Infinity];
  },

  /** Waits until that many have come since `reset`; gives the number that has. */
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
