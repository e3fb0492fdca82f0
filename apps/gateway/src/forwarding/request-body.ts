import { Problem } from '@canvass/errors';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';

/** Bodies up to this are read before the service is called: a slow client then holds no connection to it. */
const smallBytes = 64 * 1024;

/** Row streams (CSV, NDJSON) have a limit of their own; everything else counts as JSON. */
const rowStream = /^\s*(?:text\/csv|application\/(?:x-)?ndjson)\s*(?:;|$)/i;

export type RequestBody =
  | { kind: 'none' }
  | { kind: 'small'; bytes: Buffer }
  | { kind: 'stream'; stream: LimitedBody; contentLength: string | undefined };

export interface BodyLimit {
  json: number;
  rows: number;
}

/** Whether a request carries a body at all (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const declared = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (declared !== undefined && declared !== '0');
}

/**
 * Prepares the body of a request for its service. A body without a declared length is chunked and counted on its way.
 *
 * @param patienceMs within which a small body must be there as a whole
 * @throws {Problem} `payload_too_large` when Content-Length is over the limit; before a byte of the body is read;
 *   `request_timeout` for a small body that does not come
 */
export async function readRequestBody(
  request: IncomingMessage,
  limits: BodyLimit,
  patienceMs: number,
): Promise<RequestBody> {
  const declared = request.headers['content-length'];
  if (!hasBody(request)) return { kind: 'none' };
  const limit = rowStream.test(request.headers['content-type'] ?? '') ? limits.rows : limits.json;
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
  if (declared !== undefined && Number(declared) <= smallBytes) {
    return { kind: 'small', bytes: await collect(request, patienceMs) };
  }
  const stream = new LimitedBody(limit);
  stream.on('error', () => undefined); // told to whoever reads it; before and after that to nobody
  request.pipe(stream);
  request.once('close', () => {
    if (!request.complete) stream.destroy(new ClientGone());
  });
  return { kind: 'stream', stream, contentLength: declared };
}

/** Stops reading the body for the service but lets the client finish writing, so that it can read the answer. */
export function discardRest(request: IncomingMessage, patienceMs = 2_000): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, patienceMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

/** The client ended its connection; nobody is left to be answered. */
export class ClientGone extends Error {
  constructor() {
    super('The client has gone away.');
  }
}

/** Counts what passes and fails with `payload_too_large` when it is more than the limit. */
export class LimitedBody extends Transform {
  #passed = 0;
  /** Called for each piece that came from the client. */
  onActivity: () => void = () => undefined;

  constructor(private readonly limit: number) {
    super({ readableHighWaterMark: smallBytes, writableHighWaterMark: smallBytes });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#passed += chunk.length;
    this.onActivity();
    if (this.#passed > this.limit) done(tooLarge(this.limit));
    else done(null, chunk);
  }
}

function collect(request: IncomingMessage, patienceMs: number): Promise<Buffer> {
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
      patienceMs,
    );
    const gone = () => {
      clearTimeout(timer);
      reject(new ClientGone());
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
