import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen';

/** A request as it arrived; the body is the raw bytes, because signatures are over them. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** Names and values in the order and case of the wire. */
  rawHeaders: string[];
  body: Buffer;
  at: Date;
}

/** `hang` never answers, `reset` drops the connection. */
export type SinkAnswer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  | 'hang'
  | 'reset';

export interface WebhookSink {
  url: string;
  /** All requests in order of arrival. */
  requests: ReceivedRequest[];
  /** Sets the answer to the requests from now on; 200 unless told. */
  respond(fn: (request: ReceivedRequest) => SinkAnswer | Promise<SinkAnswer>): void;
  close(): Promise<void>;
}

/** A real HTTP receiver of webhooks on loopback that records what it gets. */
export async function webhookSink(): Promise<WebhookSink> {
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
    requests.push(received);
    const reply = await answer(received);
    if (reply === 'hang') return;
    if (reply === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (reply.delayMs) await sleep(reply.delayMs);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  const { url, close } = await listen((request, response) => {
    // A sender that gives up in the middle of its body is nothing to a receiver.
    receive(request, response).catch(() => request.socket.destroy());
  });
  return {
    url,
    requests,
    respond(fn) {
      answer = fn;
    },
    close,
  };
}
