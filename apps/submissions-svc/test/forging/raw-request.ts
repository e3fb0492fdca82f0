import { request } from 'node:http';

export interface RawReply {
  status: number;
  /** The body as it came. */
  text: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** Sends headers unchanged, even repeated ones, which `fetch` would join or reject. */
export function rawRequest(
  base: string,
  method: string,
  path: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: string | undefined,
): Promise<RawReply> {
  const { hostname, port, host } = new URL(base);
  const all = [['Host', host], ...headers];
  if (body !== undefined)
    all.push(['Content-Type', 'application/json'], ['Content-Length', String(Buffer.byteLength(body))]);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: all.flat(), agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          headers: reply.headers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
