/** The raw limit of a gateway: `node:http` in front, one undici pool behind, bytes passed on, and nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { serveApi } from '../child';

const hopByHop = new Set(['connection', 'keep-alive', 'host', 'transfer-encoding', 'expect']);

const api = {
  async listen(target: string, connections: number): Promise<string> {
    const pool = new Pool(target, { connections, pipelining: 1 });
    const server = createServer((request, response) => {
      const headers = Object.entries(request.headers).filter(([name]) => !hopByHop.has(name));
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
      pool.dispatch(
        {
          path: request.url ?? '/',
          method: request.method as 'GET' | 'POST',
          headers: Object.fromEntries(headers),
          ...(hasBody ? { body: request } : {}),
        },
        {
          onRequestStart: () => undefined,
          onResponseStart(_controller, status, answer) {
            response.writeHead(
              status,
              Object.fromEntries(Object.entries(answer).filter(([name]) => !hopByHop.has(name))),
            );
          },
          onResponseData(controller, chunk) {
            if (response.write(chunk)) return;
            controller.pause();
            response.once('drain', () => controller.resume());
          },
          onResponseEnd: () => void response.end(),
          onResponseError: () => response.destroy(),
        },
      );
    });
    server.keepAliveTimeout = 60_000;
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
  },
};

export type BareProxyApi = typeof api;

serveApi(api);
