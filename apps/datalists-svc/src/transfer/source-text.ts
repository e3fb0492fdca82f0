import { Problem } from '@canvass/errors';
import { contentTypeOf } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import type { FaultCode, FaultList } from './faults';
import { TextReader } from '@canvass/workbooks';
import type { FileFormat } from './csv-dialect';

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
 * The body of a request as text, as it arrives. A byte order mark is skipped.
 *
 * @param file gets the encoding of a CSV file; all else is UTF-8
 * @throws {Problem} `payload_too_large`; `unsupported_media_type`; `import_rejected` for another encoding,
 * and for a body without bytes
 */
export async function* textOfBody(
  request: IncomingMessage,
  limit: number,
  { faults, file }: { faults: FaultList; file: FileFormat | null },
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { charset = 'utf-8' } = contentTypeOf(request);
  if (!(file === null ? utf8 : charsets).has(charset)) {
    const detail = `The charset must be ${file === null ? 'UTF-8' : 'UTF-8, UTF-16 or Windows-1252'}.`;
    throw new Problem('unsupported_media_type', { detail });
  }
  const reader = new TextReader();
  let length = 0;
  const read = (text: () => string): string => {
    try {
      return text();
    } catch {
      return refuse(faults, 'not_utf8', 'The bytes of the file are not of one encoding; save it as UTF-8.');
    } finally {
      if (file !== null) file.encoding = reader.encoding ?? 'utf-8';
      else if (reader.encoding !== undefined && reader.encoding !== 'utf-8')
        refuse(faults, 'not_utf8', `The file is ${reader.encoding.toUpperCase()}; save it as UTF-8.`);
    }
  };
  for await (const chunk of chunksOf(request, limit, onBytes)) {
    length += chunk.length;
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const piece = chunk.subarray(at, at + pieceSize);
      yield read(() => reader.read(piece));
    }
  }
  // It would empty the list: a program that failed sends such a body.
  if (length === 0 && file === null) refuse(faults, 'file_empty', 'The file has no bytes.');
  yield read(() => reader.end());
}

/** The body of a request as bytes. @throws {Problem} `payload_too_large`; `unsupported_media_type` */
export async function bytesOfBody(
  request: IncomingMessage,
  limit: number,
  onBytes: (count: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(request, limit, onBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(
  request: IncomingMessage,
  limit: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  if (!['identity', ''].includes((request.headers['content-encoding'] ?? '').trim().toLowerCase())) {
    throw new Problem('unsupported_media_type', { detail: 'A streamed body must not be compressed.' });
  }
  let length = 0;
  try {
    // Ending the loop must not destroy the request, because its socket must send the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      onBytes(chunk.length);
      if (length > limit) {
        throw new Problem('payload_too_large', { detail: `The body may have ${limit} bytes at most.` });
      }
      yield chunk;
    }
  } finally {
    // Discards the rest of the body, so that the client reads the response.
    request.resume();
  }
}

const utf8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);
const charsets: ReadonlySet<string> = new Set([
  ...utf8,
  'utf-16',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-1',
]);

const refuse = (faults: FaultList, code: FaultCode, message: string): never =>
  faults.stop({ line: null, column: null, field: null, code, message });
