import { readJson } from '@canvass/json-numbers';
import { Problem } from '@canvass/errors';
import type { IncomingMessage } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** 1 MiB */
export const defaultBodyLimit = 1024 * 1024;
/** The time for which the rest of too large a body is read, so that the client receives the response. */
const drainMs = 2000;
/** A JSON body must arrive within this time. */
const bodyDeadlineMs = 60_000;

/** The client disconnected before its body was complete. No response can be sent. */
export class RequestAborted extends Error {}

const decoders: Record<string, (() => Transform) | undefined> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
const units: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** `4mb` → 4194304 */
export function bytesOf(limit: string | number): number {
  if (typeof limit === 'number') return limit;
  const match = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)?$/i.exec(limit.trim());
  if (match === null) throw new Error(`"${limit}" is not a number of bytes.`);
  return Math.floor(Number(match[1]) * units[(match[2] ?? 'b').toLowerCase()]!);
}

/** The media type in lower case without parameters, and the charset if it is given. */
export function contentTypeOf(request: IncomingMessage): { mediaType: string; charset: string | undefined } {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { mediaType: type.trim().toLowerCase(), charset: charset?.toLowerCase() };
}

export const isJson = (mediaType: string): boolean =>
  /^application\/(json|[a-z0-9!#$&^_.-]+\+json)$/.test(mediaType);

/** Returns whether the request carries a body at all (RFC 9112, section 6.3). */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads a whole body of at most `limit` bytes (counted after decompression).
 * @throws {Problem} `payload_too_large`, `request_timeout`, `malformed_request`; `unsupported_media_type` for
 * an unknown Content-Encoding
 * @throws {RequestAborted} if the client disconnects
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.readableEnded) throw new Error('The body of this request has already been read.');
  const tooLarge = Number(request.headers['content-length'] ?? 0) > limit;
  const body = tooLarge ? undefined : await collect(decoded(request), request, limit);
  if (body !== undefined) return body;
  await drain(request);
  throw new Problem('payload_too_large', {
    detail: `The body may have ${limit} bytes at most.`,
    headers: { Connection: 'close' },
  });
}

function decoded(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return request;
  const decoder = decoders[encoding]?.();
  if (decoder === undefined) {
    throw new Problem('unsupported_media_type', {
      detail: `The content encoding "${encoding}" is not supported.`,
      headers: { 'Accept-Encoding': 'gzip, deflate, br' },
    });
  }
  request.once('close', () => {
    if (!request.complete) decoder.destroy(new RequestAborted());
  });
  return request.pipe(decoder);
}

/** Collects the bytes of a body; undefined if it has more than `limit`. */
function collect(stream: Readable, request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (act: () => void) => {
      clearTimeout(timer);
      stream.removeAllListeners('data');
      act();
    };
    const timer = setTimeout(() => {
      const problem = new Problem('request_timeout', { headers: { Connection: 'close' } });
      finish(() => reject(problem));
    }, bodyDeadlineMs);
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else finish(() => resolve(undefined));
    });
    stream.once('end', () => finish(() => resolve(Buffer.concat(chunks))));
    stream.once('error', (error) => {
      const aborted = error instanceof RequestAborted || (stream === request && !request.complete);
      const problem = new Problem('malformed_request', {
        detail: 'The body cannot be decompressed.',
        cause: error,
      });
      finish(() => reject(aborted ? new RequestAborted() : problem));
    });
    request.once('close', () => {
      if (!request.complete) finish(() => reject(new RequestAborted()));
    });
  });
}

/**
 * Reads and drops the rest of a body for a moment: closing a socket with unread data would lose the response.
 */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete && request.readableEnded) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', done).once('close', done).resume();
  });
}

/**
 * Decodes and parses a JSON body. Only UTF-8 (RFC 8259, section 8.1); a byte order mark is skipped.
 *
 * @param exactMember the member whose numbers keep their text, if the body has it
 * @throws {Problem} `unsupported_media_type` for another charset, `malformed_json`
 */
export function parseJson(bytes: Buffer, charset: string | undefined, exactMember?: string): unknown {
  const text = textOf(bytes, charset);
  try {
    const body = JSON.parse(text) as unknown;
    return exactMember === undefined ? body : withExact(body, exactMember, text);
  } catch (error) {
    // The message of V8 quotes the text around the fault, which may be a secret: report the position only.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new Problem('malformed_json', {
      detail:
        position === undefined
          ? 'The body ends too early or is empty.'
          : `There is a fault at character ${position}.`,
    });
  }
}

function withExact(body: unknown, member: string, text: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, member)) return body;
  return { ...body, [member]: (readJson(text) as Record<string, unknown>)[member] };
}

/** Parses an `application/x-www-form-urlencoded` body to a plain object. Repeated fields become lists. */
export function parseFormBody(bytes: Buffer, charset: string | undefined): Record<string, unknown> {
  return { ...parseForm(textOf(bytes, charset)) };
}

function textOf(bytes: Buffer, charset: string | undefined): string {
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii', ''].includes(charset)) {
    throw new Problem('unsupported_media_type', { detail: 'The charset must be UTF-8.' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('malformed_json', { detail: 'The body is not valid UTF-8.', cause });
  }
}
