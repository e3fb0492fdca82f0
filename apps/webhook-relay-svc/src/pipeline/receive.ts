import type { Dispatcher } from 'undici';
import { faultOf } from './outcome';
import { loggedHeaders } from './response-headers';

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
  /** Headers `retry-after` and `date`. */
  retryAfter: string | undefined;
  date: string | undefined;
}

const maxBytes = 16 * 1024;

type Head = Pick<Received, 'statusCode' | 'firstByteAt' | 'responseHeaders' | 'retryAfter' | 'date'>;

/**
 * Reads an answer as it streams in and hangs up after 16 KiB. Once the status is known it is the answer,
 * whatever the body does: a receiver that said 2xx and then stalls has the message, and sending it again
 * would not help it. Rejects when there was no status.
 */
export function receiveInto(
  signal: AbortSignal,
  dispatch: (handler: Dispatcher.DispatchHandler) => void,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let head: Head | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let ended = false;
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (fault: unknown, truncated: boolean) => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', abort);
      const error = fault === null ? null : faultOf(fault);
      if (head === null) reject(error ?? new Error('the connection ended without an answer'));
      else {
        const responseBody = Buffer.concat(chunks).subarray(0, maxBytes);
        resolve({ error: error?.message ?? null, responseBody, responseTruncated: truncated, ...head });
      }
      if (truncated) controller?.abort(new Error('the answer is cut here'));
    };
    const abort = () => end(signal.reason, true);
    signal.addEventListener('abort', abort, { once: true });

    dispatch({
      onRequestStart(started) {
        controller = started;
        // failpoint: relay.send.started
        if (ended) started.abort(new Error('given up before it was sent'));
      },
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return; // informational: the answer is still to come
        // failpoint: relay.send.status
        const { 'retry-after': retryAfter, date } = headers;
        head = {
          statusCode,
          firstByteAt: performance.now(),
          responseHeaders: loggedHeaders(headers),
          retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
          date: typeof date === 'string' ? date : undefined,
        };
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBytes) end(null, true);
      },
      onResponseEnd: () => end(null, false),
      onResponseError: (_controller, error) => end(error, true),
    });
  });
}
