import { writeJson } from '@canvass/json-numbers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import { acceptedEncoding } from './accepted-encoding';
import type { Answer } from './answers';
import type { Disconnect } from './disconnect';
import { etagOf, notModified } from './etag';

/** Smaller answers are sent as they are. */
const minPackedBytes = 4096;
/** Up to this size (0.5 ms) compression takes less time than on another thread. */
const maxPackedAtOnce = 256 * 1024;

/** The interval at which the feed of revoked tokens is read. A stream checks sooner, and ends in order. */
const checkMs = 2_000;

interface StreamEnds {
  disconnect: Pick<Disconnect, 'signal'>;
  /** Returns whether the caller lost their rights: their stream is broken off. */
  isRevoked(): boolean;
}

/**
 * Writes the answer of a handler: headers, `ETag`, 304 if the copy of the client is current, JSON or a
 * stream. Large JSON is compressed for clients that accept gzip.
 */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  { disconnect, isRevoked }: StreamEnds,
): Promise<void> {
  if (response.headersSent) return; // the handler wrote the response itself
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (answer.etag !== undefined) response.setHeader('ETag', etagOf(answer.etag));
  if (!response.hasHeader('Cache-Control')) {
    // Two callers may have records with one URL and one revision: a browser would show the copy of the first.
    const { authorization, 'x-submission-token': token } = request.headers;
    const isOfCaller = authorization !== undefined || token !== undefined;
    response.setHeader(
      'Cache-Control',
      answer.etag === undefined || isOfCaller ? 'no-store' : 'private, no-cache',
    );
  }
  const safe = request.method === 'GET' || request.method === 'HEAD';
  if (safe && answer.etag !== undefined && notModified(request.headers['if-none-match'], answer.etag)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  response.statusCode = answer.status;
  if (answer.stream !== undefined) {
    if (request.method === 'HEAD') response.end();
    else {
      // Large files take longer than the rights of a caller may last.
      const check = setInterval(() => isRevoked() && response.destroy(), checkMs).unref();
      await answer.stream(response, disconnect.signal).finally(() => clearInterval(check));
    }
    return;
  }
  if (answer.body === undefined) {
    response.end();
    return;
  }
  let bytes: Uint8Array = Buffer.from(writeJson(answer.body));
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // The same strong ETag must not name two encodings (RFC 9110, section 8.8.3.3).
  if (safe && answer.etag === undefined && bytes.length >= minPackedBytes) {
    response.appendHeader('Vary', 'Accept-Encoding');
    if (acceptedEncoding(request, ['gzip']) === 'gzip') {
      const level = { level: constants.Z_BEST_SPEED };
      bytes = bytes.length <= maxPackedAtOnce ? gzipSync(bytes, level) : await promisify(gzip)(bytes, level);
      response.setHeader('Content-Encoding', 'gzip');
    }
  }
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
