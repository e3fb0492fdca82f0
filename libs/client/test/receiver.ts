import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server on loopback. Each request takes the next answer; the last one is repeated. */
export async function serverOf(...answers: ((response: ServerResponse, n: number) => void)[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const n = received.push({
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body,
      });
      answers[Math.min(n, answers.length) - 1]!(response, n);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const answer =
  (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** Breaks the connection without a response. */
export const hangUp = (response: ServerResponse): void => void response.destroy();
