import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answers';

type Piece = string | Uint8Array;

/**
 * `pipeline` adds seven `close` listeners. With ours they exceed the default limit of Node for leak warnings.
 */
const maxListeners = 20;

/**
 * Streams the pieces (texts or bytes) as fast as the client reads. A failure before the first piece becomes a
 * problem. A later failure aborts the transfer, so that the client sees that the file is incomplete. If the
 * client disconnects, the iteration ends.
 */
export function streamText(pieces: AsyncIterable<Piece>): NonNullable<Answer['stream']> {
  return async (response, signal) => {
    const source = pieces[Symbol.asyncIterator]();
    const first = await source.next();
    response.setMaxListeners(maxListeners);
    await pipeline(Readable.from(resumed(first, source)), response, { signal });
  };
}

async function* resumed(first: IteratorResult<Piece>, source: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    for (let piece = first; piece.done !== true; piece = await source.next()) yield piece.value;
  } finally {
    await source.return?.();
  }
}
