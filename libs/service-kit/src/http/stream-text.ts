import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from './answers';

/**
 * The body of a streamed answer: text pieces are taken as fast as the client reads. A failure before the first piece is
 * a problem like any other; one after it breaks the transfer, so that no truncated file looks whole. A client that
 * goes away ends the reading.
 */
export function streamText(pieces: AsyncIterable<string>): NonNullable<Answer['stream']> {
  return async (response, signal) => {
    const source = pieces[Symbol.asyncIterator]();
    const first = await source.next();
    await pipeline(Readable.from(resumed(first, source)), response, { signal });
  };
}

async function* resumed(
  first: IteratorResult<string>,
  source: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let piece = first; piece.done !== true; piece = await source.next()) yield piece.value;
  } finally {
    await source.return?.();
  }
}
