/** A load generator: a process of its own, so that what it needs is not taken from a contestant. */
import { Pool, type Dispatcher } from 'undici';
import { serveApi } from '../child';
import type { Sample } from '../scenario';
import { monotonicMs } from '../monotonic';

export interface LoadRequest {
  /** Base URL. */
  origin: string;
  method: 'GET' | 'POST';
  /** Used in turn. */
  paths: string[];
  body?: string;
  headers?: Record<string, string>;
  /** The status that counts as done. */
  expect: number;
}

export interface OpenResult {
  /** `id` of each answer. */
  ids: string[];
  /** Monotonic milliseconds, by answer. */
  sentAt: Float64Array;
  answeredAt: Float64Array;
  errors: number;
  /** What the first failed request was answered. */
  firstError: string | null;
}

interface Answered {
  ok: boolean;
  body: string;
}

const jsonHeaders = { 'content-type': 'application/json' };

function send(pool: Pool, request: LoadRequest, path: string, keepBody: boolean): Promise<Answered> {
  return new Promise((resolve) => {
    let status = 0;
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => void (status = statusCode),
      onResponseData: (_controller, chunk) => {
        if (keepBody) chunks.push(chunk);
      },
      onResponseEnd: () =>
        resolve({ ok: status === request.expect, body: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) => resolve({ ok: false, body: String(error) }),
    };
    pool.dispatch(
      {
        path,
        method: request.method,
        headers: { ...(request.body === undefined ? {} : jsonHeaders), ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
      },
      handler,
    );
  });
}

const api = {
  /** Closed loop: each connection sends the next request when it has the answer to the last. */
  async closed(request: LoadRequest, connections: number, seconds: number): Promise<Sample> {
    const pool = new Pool(request.origin, { connections, pipelining: 1 });
    const latencies: number[] = [];
    let errors = 0;
    let next = 0;
    const started = performance.now();
    const end = started + seconds * 1000;
    const loop = async () => {
      for (let begin = performance.now(); begin < end; begin = performance.now()) {
        const { ok } = await send(pool, request, request.paths[next++ % request.paths.length]!, false);
        if (ok) latencies.push(performance.now() - begin);
        else errors += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const took = (performance.now() - started) / 1000;
    await pool.close();
    return {
      operations: latencies.length,
      seconds: took,
      latenciesMs: Float64Array.from(latencies),
      errors,
    };
  },

  /** Open loop: a request each 1/rate seconds, whether or not earlier ones have been answered. */
  async open(request: LoadRequest, rate: number, seconds: number): Promise<OpenResult> {
    const pool = new Pool(request.origin, { connections: 100, pipelining: 1 });
    const total = Math.round(rate * seconds);
    const [ids, sentAt, answeredAt]: [string[], number[], number[]] = [[], [], []];
    let errors = 0;
    let firstError: string | null = null;
    const underWay: Promise<void>[] = [];
    const one = async (path: string) => {
      const sent = monotonicMs();
      const { ok, body } = await send(pool, request, path, true);
      const answered = monotonicMs();
      if (!ok) {
        errors += 1;
        firstError ??= body.slice(0, 500);
        return;
      }
      ids.push((JSON.parse(body) as { id: string }).id);
      sentAt.push(sent);
      answeredAt.push(answered);
    };
    const started = performance.now();
    await new Promise<void>((resolve) => {
      const tick = () => {
        const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
        while (underWay.length < due)
          underWay.push(one(request.paths[underWay.length % request.paths.length]!));
        if (underWay.length < total) setTimeout(tick, 1);
        else resolve();
      };
      tick();
    });
    await Promise.all(underWay);
    await pool.close();
    return {
      ids,
      sentAt: Float64Array.from(sentAt),
      answeredAt: Float64Array.from(answeredAt),
      errors,
      firstError,
    };
  },
};

export type LoadApi = typeof api;

serveApi(api);
