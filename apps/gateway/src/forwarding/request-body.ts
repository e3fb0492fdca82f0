import { Problem } from '@canvass/errors';
import { hasBody, RequestAborted } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';

/** Smaller bodies are read before the service is called, so that a slow client holds no connection to it. */
const smallBytes = 64 * 1024;
/** A small body must arrive within this time. */
const smallBodyMs = 10_000;

/** Row streams (CSV, NDJSON) have a limit of their own. The JSON limit applies to everything else. */
const rowStream = /^\s*(?:text\/csv|application\/(?:x-)?ndjson)\s*(?:;|$)/i;

export type RequestBody =
  | { kind: 'none' }
  | { kind: 'small'; bytes: Buffer }
  | { kind: 'stream'; stream: LimitedBody; contentLength: string | undefined };

export interface BodyLimit {
  json: number;
  rows: number;
}

/**
 * Prepares the body of a request for its service. A body without a declared length is counted while it is
 * streamed.
 *
 * @param timeoutMs within which the whole of a small body must arrive, if it is less than 10 s
 * @throws {Problem} `payload_too_large` when Content-Length is over the limit, before a byte of the body is
 *   read; `request_timeout` for a small body that does not arrive
 * @throws {RequestAborted} when the client disconnects
 */
export async function readRequestBody(
  request: IncomingMessage,
  limits: BodyLimit,
  timeoutMs: number,
): Promise<RequestBody> {
  if (!hasBody(request)) return { kind: 'none' };
  const declared = request.headers['content-length'];
  const limit = rowStream.test(request.headers['content-type'] ?? '') ? limits.rows : limits.json;
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
  if (declared !== undefined && Number(declared) <= smallBytes) {
    return { kind: 'small', bytes: await collect(request, Math.min(timeoutMs, smallBodyMs)) };
  }
  const stream = new LimitedBody(limit);
  stream.on('error', () => undefined); // its reader gets the error; without a reader there is no use for it
  request.pipe(stream);
  request.once('close', () => {
    if (!request.complete) stream.destroy(new RequestAborted());
  });
  return { kind: 'stream', stream, contentLength: declared };
}

/** Discards the rest of a body for a moment, so that the client can finish writing and read the response. */
export function discardRest(request: IncomingMessage, timeoutMs = 2_000): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, timeoutMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

/** Counts the bytes that pass and fails with `payload_too_large` above the limit. */
export class LimitedBody extends Transform {
  #passed = 0;
  /** Called for each chunk from the client. */
  onActivity: (bytes: number) => void = () => undefined;

  constructor(private readonly limit: number) {
    super({ readableHighWaterMark: smallBytes, writableHighWaterMark: smallBytes });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#passed += chunk.length;
    this.onActivity(chunk.length);
    if (this.#passed > this.limit) done(tooLarge(this.limit));
    else done(null, chunk);
  }
}

function collect(request: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(
      () =>
        reject(
          new Problem('request_timeout', {
            detail: 'The body did not arrive in time.',
            headers: { Connection: 'close' },
          }),
        ),
      timeoutMs,
    );
    const gone = () => {
      clearTimeout(timer);
      reject(new RequestAborted());
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.once('error', gone);
    request.once('close', () => {
      if (!request.complete) gone();
    });
  });
}

function tooLarge(limit: number): Problem {
  return new Problem('payload_too_large', {
    detail: `The body is larger than the ${limit} bytes this resource takes.`,
    extra: { limitBytes: limit },
  });
}
