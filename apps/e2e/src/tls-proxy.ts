import { selfSigned } from '@canvass/testing';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { stackFile } from './stack';

/** Changes the JSON of a response of the API. */
export type Change = (path: string, body: unknown) => unknown;

export interface TlsProxy {
  url: string;
  /** Applied to the further responses of the API with status 200. */
  change: Change;
  /** Paths outside the path prefix that were asked for. They are answered with 404. */
  missed: string[];
  close(): Promise<void>;
}

/**
 * A proxy that ends TLS in front of a gateway, and keeps the header Host of the browser.
 *
 * @param gatewayUrl by default that of the stack
 * @param pathPrefix the path at which it serves the gateway. It removes it from the path of each request
 */
export async function startTlsProxy(gatewayUrl?: string, pathPrefix = ''): Promise<TlsProxy> {
  const gateway = new URL(gatewayUrl ?? (await stackFile()).gatewayUrl);
  const proxy: Omit<TlsProxy, 'url'> = {
    change: (_, body) => body,
    missed: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer(selfSigned, (incoming, outgoing) => {
    const { method, url: asked = '/', headers } = incoming;
    if (!asked.startsWith(`${pathPrefix}/`)) {
      proxy.missed.push(asked);
      outgoing.writeHead(404).end();
      return;
    }
    const url = asked.slice(pathPrefix.length);
    const target = { host: gateway.hostname, port: gateway.port, method, path: url };
    const upstream = request(
      { ...target, headers: { ...headers, 'accept-encoding': 'identity', 'x-forwarded-proto': 'https' } },
      (response) => {
        const { statusCode = 502, headers: answered } = response;
        const isJson = /^application\/json/.test(answered['content-type'] ?? '');
        if (statusCode !== 200 || !isJson || !url.startsWith('/api/')) {
          outgoing.writeHead(statusCode, answered);
          response.pipe(outgoing);
          return;
        }
        void buffer(response).then((bytes) => {
          const body = JSON.stringify(proxy.change(url, JSON.parse(bytes.toString())));
          const { 'content-length': _length, ...kept } = answered;
          outgoing.writeHead(200, kept).end(body);
        });
      },
    );
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, { url: `https://127.0.0.1:${port}${pathPrefix}` });
}
