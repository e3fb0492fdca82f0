import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '@canvass/testing';
import { Pool } from 'undici';

/** What clients saw. */
export interface Measured {
  failed: number;
  /** Milliseconds. */
  p99: number;
  /** One line for a reader. */
  text: string;
}

const clients = 8;
/** Between two requests of one client, so that the machine is not busy and waiting is due to the gateway. */
const pauseMs = 5;
/** Answered by a service to anyone. */
const path = '/.well-known/form-access-jwks.json';

/** Sends requests for some seconds. @param options.reconnect use a new connection for each request */
export async function measure(url: string, seconds: number, { reconnect = false } = {}): Promise<Measured> {
  const pool = new Pool(url, { connections: clients });
  const times: number[] = [];
  let failed = 0;
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      try {
        const { statusCode, body } = await pool.request({ method: 'GET', path, reset: reconnect });
        await body.dump();
        if (statusCode !== 200) failed += 1;
      } catch {
        failed += 1;
      }
      times.push(performance.now() - started);
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.destroy();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const text = `${times.length} requests, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return { failed, p99, text };
}
