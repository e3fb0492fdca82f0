import type dns from 'node:dns';
import { Server } from 'proxy-chain';
import { selfSigned } from './self-signed';

/** An HTTP proxy on loopback: the npm package `proxy-chain`. It resolves every name to loopback. */
export interface TestProxy {
  /** With the credentials that it asks for. */
  url: string;
  /** Targets of CONNECT in order, as `host:port`. */
  asked: string[];
  /** Closes all its connections. */
  cut(): void;
  /** Ends it with all its connections; `start` begins again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const toLoopback = ((_host: string, options: dns.LookupOptions, callback: (...args: unknown[]) => void) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
}) as typeof dns.lookup;

/** @param scheme `https`: its certificate is `selfSigned` */
export async function testProxy(scheme: 'http' | 'https' = 'http'): Promise<TestProxy> {
  const asked: string[] = [];
  let port = 0;
  let server: Server;
  const start = async () => {
    server = new Server({
      ...(scheme === 'https' ? { serverType: scheme, httpsOptions: selfSigned } : { serverType: scheme }),
      host: '127.0.0.1',
      port,
      prepareRequestFunction: (request) => {
        asked.push(`${request.hostname}:${request.port}`);
        const isKnown = request.username === 'relay' && request.password === 'p@ss:word';
        return { requestAuthentication: !isKnown, dnsLookup: toLoopback };
      },
    });
    await server.listen();
    port = server.port;
  };
  await start();
  return {
    url: `${scheme}://relay:p%40ss%3Aword@127.0.0.1:${port}`,
    asked,
    cut: () => server.closeConnections(),
    stop: () => server.close(true),
    start,
  };
}
