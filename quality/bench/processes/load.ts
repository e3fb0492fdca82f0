/** A load generator: a process of its own, so that it shares no event loop with a variant. */
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

/** Returns whether the answer was the expected one. */
function send(pool: Pool, request: LoadRequest, path: string): Promise<boolean> {
  const { method, body, headers, expect } = request;
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    let status = 0;
    pool.dispatch(
      { path, method, headers: { ...typed, ...headers }, ...(body === undefined ? {} : { body }) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(status === expect),
        onResponseError: () => resolve(false),
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
        if (await send(pool, request, request.paths[next++ % request.paths.length]!))
          latencies.push(performance.now() - begin);
        else errors += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const took = (performance.now() - started) / 1000;
    await pool.close();
    return { operations: latencies.length, seconds: took, latenciesMs: Float64Array.from(latencies), errors };
  },

  /** Open loop: a request each 1/rate seconds, whether or not earlier ones have been answered. */
  async open(request: LoadRequest, rate: number, seconds: number): Promise<Sample> {
    const pool = new Pool(request.origin, { connections: 100, pipelining: 1 });
    const total = Math.round(rate * seconds);
    const latencies: number[] = [];
    const pending: Promise<void>[] = [];
    let errors = 0;
    const one = async (path: string) => {
      const sentAt = performance.now();
      if (await send(pool, request, path)) latencies.push(performance.now() - sentAt);
      else errors += 1;
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
    return { operations: latencies.length, seconds, latenciesMs: Float64Array.from(latencies), errors };
  },
};

export type LoadApi = typeof api;

serveApi(api);
