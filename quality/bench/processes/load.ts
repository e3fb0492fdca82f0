/** A load generator: a process of its own, so that it shares no event loop with a variant. */
import { Pool } from 'undici';
import { serveApi } from '../child';
import type { Sample } from '../compare';
import { monotonicMs } from '@canvass/testing';

interface LoadRequest {
  /** Base URL. */
  origin: string;
  method: 'GET' | 'POST';
  /** Used in turn. */
  paths: string[];
  body?: string;
  headers?: Record<string, string>;
  /** The status that counts as success. */
  expect: number;
}

interface OpenResult {
  /** `id` of each successful answer. */
  ids: string[];
  /** By answer: when it came, in milliseconds of the monotonic clock, and how long it took. */
  answeredAt: Float64Array;
  latenciesMs: Float64Array;
  errors: number;
  /** Body or error of the first failed request. */
  firstError: string | null;
}

interface Answer {
  isSuccess: boolean;
  body: string;
}

function send(pool: Pool, request: LoadRequest, path: string, keepBody: boolean): Promise<Answer> {
  const { method, body, expect } = request;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method, headers: { ...type, ...request.headers }, ...(body === undefined ? {} : { body }) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, chunk) => {
          if (keepBody) chunks.push(chunk);
        },
        onResponseEnd: () =>
          resolve({ isSuccess: status === expect, body: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => resolve({ isSuccess: false, body: String(error) }),
      },
    );
  });
}

const api = {
  /** Closed loop: each connection sends the next request when it has the answer to the last. */
  async closed(request: LoadRequest, connections: number, seconds: number): Promise<Sample> {
    const pool = new Pool(request.origin, { connections, pipelining: 1 });
    const latencies: number[] = [];
    let [errors, next] = [0, 0];
    const started = performance.now();
    const end = started + seconds * 1000;
    const loop = async () => {
      for (let begin = performance.now(); begin < end; begin = performance.now()) {
        const { isSuccess } = await send(pool, request, request.paths[next++ % request.paths.length]!, false);
        if (isSuccess) latencies.push(performance.now() - begin);
        else errors += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const took = (performance.now() - started) / 1000;
    await pool.close();
    return { operations: latencies.length, seconds: took, latenciesMs: Float64Array.from(latencies), errors };
  },

  /** Open loop: a request each 1/rate seconds, whether or not earlier ones have been answered. */
  async open(request: LoadRequest, rate: number, seconds: number): Promise<OpenResult> {
    const pool = new Pool(request.origin, { connections: 100, pipelining: 1 });
    const total = Math.round(rate * seconds);
    const [ids, latencies, answeredAt]: [string[], number[], number[]] = [[], [], []];
    const failures: string[] = [];
    const pending: Promise<void>[] = [];
    const one = async (path: string) => {
      const sentAt = monotonicMs();
      const { isSuccess, body } = await send(pool, request, path, true);
      if (!isSuccess) return void failures.push(body);
      const now = monotonicMs();
      ids.push((JSON.parse(body) as { id: string }).id);
      answeredAt.push(now);
      latencies.push(now - sentAt);
    };
    const started = performance.now();
    await new Promise<void>((resolve) => {
      const tick = () => {
        const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
        while (pending.length < due) pending.push(one(request.paths[pending.length % request.paths.length]!));
        if (pending.length < total) setTimeout(tick, 1);
        else resolve();
      };
      tick();
    });
    await Promise.all(pending);
    await pool.close();
    return {
      ids,
      answeredAt: Float64Array.from(answeredAt),
      latenciesMs: Float64Array.from(latencies),
      errors: failures.length,
      firstError: failures[0]?.slice(0, 500) ?? null,
    };
  },
};

export type LoadApi = typeof api;

serveApi(api);
