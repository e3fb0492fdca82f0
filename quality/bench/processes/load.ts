/** A load generator: a process of its own, so that it shares no event loop with a variant. */
import { monotonicMs } from '@canvass/testing';
import { Pool } from 'undici';
import { serveApi } from '../../child';
import type { Sample } from '../compare';

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
  /** `id` of each successful answer, if its body has one. */
  ids: string[];
  /** By answer: when it came, in milliseconds of the monotonic clock, and how long it took. */
  answeredAt: Float64Array;
  latenciesMs: Float64Array;
  errors: number;
}

/** Resolves with the body of a success, and with null otherwise. */
function send(pool: Pool, request: LoadRequest, path: string, keepBody: boolean): Promise<string | null> {
  const { method, body, headers, expect } = request;
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method, headers: { ...typed, ...headers }, ...(body === undefined ? {} : { body }) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, chunk) => void (keepBody && chunks.push(chunk)),
        onResponseEnd: () => resolve(status === expect ? Buffer.concat(chunks).toString() : null),
        onResponseError: () => resolve(null),
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
        const answer = await send(pool, request, request.paths[next++ % request.paths.length]!, false);
        if (answer === null) errors += 1;
        else latencies.push(performance.now() - begin);
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
    const pending: Promise<void>[] = [];
    let errors = 0;
    const one = async (path: string) => {
      const sentAt = monotonicMs();
      const body = await send(pool, request, path, true);
      const now = monotonicMs();
      if (body === null) return void (errors += 1);
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
      errors,
    };
  },
};

export type LoadApi = typeof api;

serveApi(api);
