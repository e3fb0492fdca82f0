import { to as copyTo } from 'pg-copy-streams';
import type { Database } from './database';
import { connectForLong } from './long-reading';

/** Longer than any pause of a client that is still there; the gateway has a limit of its own. */
const longestPauseMs = 5 * 60_000;

/**
 * No limit on the time of the whole: a reader may be slow. A reader that went away is noticed within a second, even in
 * the middle of a sort. Compiling a plan would cost more time before the first row than it saves.
 */
const settings = `set local statement_timeout = 0; set local client_connection_check_interval = '1s'; set local jit = off`;

export interface TextQuery {
  /** A query with one column of type text, its parameters written $1, $2, …. */
  sql: string;
  values: readonly unknown[];
  /** Read in the order of an index, although sorting might take less time in all. */
  firstRowsSoon?: boolean;
}

/**
 * The texts of a query with one column of type text, one right after the other, as the bytes that Postgres sends (UTF-8): no row
 * ever becomes a string here, so that a result of any size costs little time and constant memory. All rows are of
 * one moment. More is read when the last piece was taken; pieces end anywhere, also within a character.
 *
 * `signal` is aborted when nobody wants the rows any more: the connection is then closed at once, and Postgres notices.
 */
export async function* copyTexts(
  db: Pick<Database, 'pool'>,
  { sql, values, firstRowsSoon = false }: TextQuery,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { client, release } = await connectForLong(db.pool, signal);
  let whole = false;
  // With a query under way this closes the socket, which fails the query.
  const cut = () => void client.end().catch(() => undefined);
  const patience = setTimeout(cut, longestPauseMs).unref();
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    await client.query(`begin read only; ${settings}${firstRowsSoon ? '; set local enable_sort = off' : ''}`);
    // COPY takes no parameters, and values do not belong into SQL: they become settings of this transaction.
    for (const [at, value] of values.entries())
      await client.query('select set_config($1, $2, true)', [settingOf(at + 1), value]);
    const query = sql.replace(/\$(\d+)/g, (_, n) => `current_setting('${settingOf(Number(n))}')`);
    const copied = client.query(copyTo(`copy (${query}) to stdout (format binary)`));
    const textsOf = createBinaryReader();
    for await (const chunk of copied as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      const texts = textsOf(chunk);
      if (texts.length > 0) yield texts;
      patience.refresh();
    }
    await client.query('commit');
    whole = true;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', cut);
    release(!whole);
  }
}

const settingOf = (n: number) => `canvass.p${n}`;

/** COPY's binary format: a signature, then per row the number of its fields (Int16) and per field a length (Int32) and its bytes. */
const headerBytes = 19;
const prefixBytes = 6;

/** Takes the framing out of each piece, within the piece itself. Frames may be cut anywhere. */
function createBinaryReader(): (chunk: Buffer) => Buffer {
  let toSkip = headerBytes;
  let textLeft = 0;
  const prefix = Buffer.alloc(prefixBytes);
  let prefixRead = 0;
  return (chunk) => {
    let written = 0;
    for (let at = 0; at < chunk.length;) {
      const left = chunk.length - at;
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, left);
        toSkip -= skipped;
        at += skipped;
      } else if (textLeft > 0) {
        const taken = Math.min(textLeft, left);
        chunk.copyWithin(written, at, at + taken);
        textLeft -= taken;
        written += taken;
        at += taken;
      } else {
        const taken = Math.min(prefixBytes - prefixRead, left);
        chunk.copy(prefix, prefixRead, at, at + taken);
        prefixRead += taken;
        at += taken;
        // The trailer is an Int16 of -1 alone: nothing comes after it that would complete a prefix.
        if (prefixRead < prefixBytes) continue;
        prefixRead = 0;
        textLeft = Math.max(0, prefix.readInt32BE(2)); // -1 is null
      }
    }
    return chunk.subarray(0, written);
  };
}
