/** The raw limit of sending: the same bodies through one undici pool, nothing written, nothing signed. */
import { Pool } from 'undici';
import { serveApi } from '../child';

const api = {
  /** Posts that many; gives the seconds until the last answer. */
  async send(origin: string, body: string, requests: number, connections: number): Promise<number> {
    const pool = new Pool(origin, { connections, pipelining: 1 });
    const headers = { 'content-type': 'application/json' };
    const bytes = Buffer.from(body);
    let left = requests;
    const started = performance.now();
    const loop = async () => {
      while (left-- > 0) {
        const answer = await pool.request({ path: '/', method: 'POST', headers, body: bytes });
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: connections }, loop));
    const seconds = (performance.now() - started) / 1000;
    await pool.close();
    return seconds;
  },
};

export type BareSenderApi = typeof api;

serveApi(api);
