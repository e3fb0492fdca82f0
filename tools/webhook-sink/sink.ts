import { createServer, type IncomingMessage, type Server } from 'node:http';

/** A request as `GET /` lists it. */
interface KeptRequest {
  at: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The amount that is kept, and the size that a body may have: no webhook is larger. */
export interface SinkLimits {
  requests: number;
  bytes: number;
}

/**
 * Creates a receiver of webhooks to try things out with: it answers 200 to every POST and keeps the newest
 * requests in memory. `GET /` lists them, the newest first. It does not verify signatures: examples/ has
 * receivers that do.
 */
export function createSink({ requests, bytes }: SinkLimits, say: (line: string) => void): Server {
  const kept: KeptRequest[] = [];
  const sizeOfKept = () => kept.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);

  /** @returns the status to answer with */
  async function keep(request: IncomingMessage): Promise<number> {
    const body = await bodyOf(request, bytes);
    if (body === null) return 413;
    const { headers, url: path = '/' } = request;
    const at = new Date().toISOString();
    kept.unshift({ at, path, headers, body });
    while (kept.length > requests || sizeOfKept() > bytes) kept.pop();
    say(`${at} ${path} ${headers['x-service-event'] ?? ''} ${Buffer.byteLength(body)} bytes`);
    return 200;
  }

  return createServer((request, response) => {
    if (request.method === 'POST') {
      keep(request).then(
        // The rest of a body that is too large is not read.
        (status) => response.writeHead(status, status === 200 ? {} : { connection: 'close' }).end(),
        () => request.socket.destroy(),
      );
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(kept, null, 2));
    }
  });
}

/** Reads the body, or returns null if it has more bytes. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
