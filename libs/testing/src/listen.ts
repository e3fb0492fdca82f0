import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** `http://<address>:<port>`, without a trailing slash. */
  url: string;
  server: Server;
  /** Also closes open connections, so that a spec never waits for an idle one. */
  close(): Promise<void>;
}

/** A loopback port without a listener, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const { url, close } = await listen(() => undefined);
  await close();
  return Number(new URL(url).port);
}

/**
 * Serves a request listener on a free port.
 *
 * @param address where it listens; loopback by default
 */
export async function listen(app: RequestListener, address = '127.0.0.1'): Promise<Listening> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    server,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
