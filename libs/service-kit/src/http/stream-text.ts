import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answers';

type Piece = string | Uint8Array;

/** `pipeline` listens seven times for the close of a response, which with ours is one more than Node takes for a leak. */
const mostListeners = 20;

/**
 * The body of a streamed answer: pieces, texts or bytes, are taken as fast as the client reads. A failure before the first piece is
 * a problem like any other; one after it breaks the transfer, so that no truncated file looks whole. A client that
 * goes away ends the reading.
 */
export function streamText(pieces: AsyncIterable<Piece>): NonNullable<Answer['stream']> {
  return async (response, signal) => {
    const source = pieces[Symbol.asyncIterator]();
    const first = await source.next();
    response.setMaxListeners(mostListeners);
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
