import { Pool } from 'undici';

export interface Measured {
  requests: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const clients = 8;
/** Between two requests of one client: load that leaves the machine room, so that waiting is the gateway's. */
const pauseMs = 5;

/** What clients see who do go on. @param reconnect each request on a connection of its own */
export async function measure(url: string, seconds: number, { reconnect = false } = {}): Promise<Measured> {
  const pool = new Pool(url, { connections: clients });
  const times: number[] = [];
  let failed = 0;
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      try {
        const { statusCode, body } = await pool.request({
          method: 'GET',
          path: '/api/forms',
          reset: reconnect,
        });
        await body.dump();
        if (statusCode !== 200) failed += 1;
      } catch {
        failed += 1;
      }
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return { requests: times.length, failed, p50: at(0.5), p99: at(0.99) };
}
