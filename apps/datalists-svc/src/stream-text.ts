import type { Answer } from '@canvass/service-kit';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The body of a streamed answer: text pieces are taken as fast as the client reads. A client that goes away ends the
 * reading; an error after the first piece breaks the transfer, so that no truncated file looks whole.
 */
export function streamText(pieces: AsyncIterable<string>): NonNullable<Answer['stream']> {
  return (response, signal) => pipeline(Readable.from(pieces), response, { signal });
}
