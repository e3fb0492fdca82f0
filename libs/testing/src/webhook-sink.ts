import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen';

/** A received request. The body is the raw bytes, because signatures cover them. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** Names and values in their original order and case. */
  rawHeaders: string[];
  body: Buffer;
  at: Date;
}

/** `hang` never responds, `reset` resets the connection. A body that is a stream is piped. */
export type SinkAnswer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer | Readable; delayMs?: number }
  | 'hang'
  | 'reset';

export interface WebhookSink {
  url: string;
  /** All requests in order of arrival; empty with `keep: false`. */
  requests: ReceivedRequest[];
  /** Sets the response to all further requests; 200 by default. */
  respond(fn: (request: ReceivedRequest) => SinkAnswer | Promise<SinkAnswer>): void;
  close(): Promise<void>;
}

/** A time longer than senders keep an idle connection. */
const keepAliveMs = 60_000;

/**
 * Starts an HTTP receiver of webhooks that records its requests.
 *
 * @param options.address where it listens; loopback by default
 * @param options.keep false for loads too large to keep in memory: the function of `respond` sees each
 * request once
 */
export async function webhookSink({
  keep = true,
  address,
}: { keep?: boolean; address?: string } = {}): Promise<WebhookSink> {
  const requests: ReceivedRequest[] = [];
  let answer: (request: ReceivedRequest) => SinkAnswer | Promise<SinkAnswer> = () => ({ status: 200 });

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks),
      at: new Date(),
    };
    if (keep) requests.push(received);
    const reply = await answer(received);
    if (reply === 'hang') return;
    if (reply === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (reply.delayMs) await sleep(reply.delayMs);
    response.writeHead(reply.status, reply.headers);
    if (reply.body instanceof Readable) await pipeline(reply.body, response);
    else response.end(reply.body);
  }

  const { url, server, close } = await listen((request, response) => {
    // If the sender aborts in the middle of its body, the receiver only closes the socket.
    receive(request, response).catch(() => request.socket.destroy());
  }, address);
  server.keepAliveTimeout = keepAliveMs;
  return {
    url,
    requests,
    respond(fn) {
      answer = fn;
    },
    close,
  };
}
