import type { ClientRequest, IncomingMessage } from 'node:http';
import { faultOf, SendFault } from './outcome';
import { loggedHeaders } from './response-headers';
import { retryAfterMs } from './schedule';

/** The answer of a receiver. */
export interface Received {
  statusCode: number;
  /** Words for people; null for a complete answer. */
  error: string | null;
  /** `performance.now()` when the headers were there. */
  firstByteAt: number;
  /** The first 16 KiB. */
  responseBody: Buffer;
  responseTruncated: boolean;
  /** The headers as the log keeps them, see `loggedHeaders`. */
  responseHeaders: Record<string, string> | null;
  /** The wait that `Retry-After` asks for, the longest if it was sent several times. */
  retryAfterMs: number | null;
}

const maxBytes = 16 * 1024;

/**
 * Sends the body, reads the answer as it streams in, and hangs up after 16 KiB. Once the status is known it
 * is the answer, whatever the body does: a receiver that said 2xx and then stalls has the message, and
 * sending it again would not help it. Rejects when there was no status.
 */
export function receive(request: ClientRequest, body: Buffer, signal: AbortSignal): Promise<Received> {
  return new Promise((resolve, reject) => {
    let head: Omit<Received, 'error' | 'responseBody' | 'responseTruncated'> | null = null;
    let ended = false;
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (fault: unknown, truncated: boolean) => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', abort);
      // A request that is not wholly sent leaves a connection that no other can use.
      if (truncated || !request.writableFinished) request.destroy();
      if (head === null) return reject(fault as Error);
      const error = fault === null ? null : faultOf(fault).message;
      const responseBody = Buffer.concat(chunks).subarray(0, maxBytes);
      resolve({ error, responseBody, responseTruncated: truncated, ...head });
    };
    const abort = () => end(signal.reason, true);
    signal.addEventListener('abort', abort, { once: true });

    const onResponse = (response: IncomingMessage) => {
      const { statusCode = 0, headers, headersDistinct } = response;
      const waits = (headersDistinct['retry-after'] ?? [])
        .map((text) => retryAfterMs(text, headers.date))
        .filter((wait) => wait !== null);
      head = {
        statusCode,
        firstByteAt: performance.now(),
        responseHeaders: loggedHeaders(headersDistinct),
        retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
      };
      response
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) end(null, true);
        })
        .on('end', () => end(null, false))
        .on('error', (error) => end(error, true));
    };
    request
      .on('response', onResponse)
      .on('upgrade', () => end(new SendFault('protocol_error', 'the receiver changed the protocol'), true))
      .on('error', (error) => end(error, true))
      .on('close', () => {
        if (!ended) end(new SendFault('connection_reset', 'the connection ended without an answer'), true);
      });
    if (signal.aborted) abort();
    else request.end(body);
  });
}
