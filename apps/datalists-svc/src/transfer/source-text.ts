import { Problem } from '@canvass/errors';
import { contentTypeOf } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { encodingFaults } from './csv-items';
import type { FaultList } from './faults';

/**
 * Objects made from a piece live until it is written. Those of small pieces die young; large ones would fill
 * the old generation.
 */
const pieceSize = 16 * 1024;

/** A long text in pieces, so that reading it yields to other requests. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceSize) yield text.slice(at, at + pieceSize);
}

/**
 * The body of a request as text, as it arrives. Only UTF-8; a byte order mark is skipped.
 *
 * @throws {Problem} `payload_too_large`; `unsupported_media_type`; `import_rejected` for another encoding
 */
export async function* textOfBody(
  request: IncomingMessage,
  limit: number,
  faults: FaultList,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { charset } = contentTypeOf(request);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Problem('unsupported_media_type', { detail: 'The charset must be UTF-8.' });
  }
  if (!['identity', ''].includes((request.headers['content-encoding'] ?? '').trim().toLowerCase())) {
    throw new Problem('unsupported_media_type', { detail: 'A streamed body must not be compressed.' });
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  try {
    // Ending the loop must not destroy the request, because its socket must send the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length === 0) refuseUtf16(chunk, faults);
      length += chunk.length;
      onBytes(chunk.length);
      if (length > limit) {
        throw new Problem('payload_too_large', { detail: `The body may have ${limit} bytes at most.` });
      }
      for (let at = 0; at < chunk.length; at += pieceSize) {
        const piece = chunk.subarray(at, at + pieceSize);
        yield decode(faults, () => decoder.decode(piece, { stream: true }));
      }
    }
    yield decode(faults, () => decoder.decode());
  } finally {
    // Discards the rest of the body, so that the client reads the response.
    request.resume();
  }
}

/** Byte order marks of UTF-16, and the NUL in every second byte of UTF-16 ASCII. */
function refuseUtf16(start: Buffer, faults: FaultList): void {
  const mark = start.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff' || start.subarray(0, 4).includes(0)) {
    faults.stop({ line: 1, column: null, field: null, ...encodingFaults.utf16 });
  }
}

function decode(faults: FaultList, read: () => string): string {
  try {
    return read();
  } catch {
    return faults.stop({ line: null, column: null, field: null, ...encodingFaults.other });
  }
}
