import { to as copyTo } from 'pg-copy-streams';
import type { Database } from './database';
import { connectForLong } from './long-reading';

/** Longer than any pause of a connected client. The gateway has its own limit. */
const longestPauseMs = 5 * 60_000;

/**
 * The whole copy has no time limit, because a reader may be slow. A lost reader is noticed within a second,
 * even during a sort. JIT compilation would delay the first row by more than it saves.
 */
const settings = `set local statement_timeout = 0; set local client_connection_check_interval = '1s'; set local jit = off`;

export interface TextQuery {
  /** A query with one text column. Its parameters are $1, $2, …. */
  sql: string;
  values: readonly unknown[];
  /** Reads in the order of an index, even if a sort might take less time in total. */
  firstRowsSoon?: boolean;
}

/**
 * The texts of a query with one text column, concatenated, as the UTF-8 bytes that Postgres sends. No row
 * becomes a string, so a result of any size needs little time and constant memory. All rows are from one
 * snapshot. The next piece is read when the last one was consumed; a piece may end within a character.
 *
 * Abort `signal` when the rows are not needed any more: the connection is closed at once, and Postgres
 * notices.
 */
export async function* copyTexts(
  db: Pick<Database, 'pool'>,
  { sql, values, firstRowsSoon = false }: TextQuery,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { client, release } = await connectForLong(db.pool, signal);
  let whole = false;
  // During a query this closes the socket, which fails the query.
  const cut = () => void client.end().catch(() => undefined);
  const patience = setTimeout(cut, longestPauseMs).unref();
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    await client.query(`begin read only; ${settings}${firstRowsSoon ? '; set local enable_sort = off' : ''}`);
    // COPY takes no parameters, and values do not belong into SQL text: pass them as settings of the
    // transaction.
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

/**
 * COPY's binary format: a signature; then per row the field count (Int16), and per field the length (Int32)
 * and the bytes.
 */
const headerBytes = 19;
const prefixBytes = 6;

/** Removes the framing of each piece in place. A frame may be split anywhere. */
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
        // The trailer is only an Int16 of -1, so it never completes a prefix.
        if (prefixRead < prefixBytes) continue;
        prefixRead = 0;
        textLeft = Math.max(0, prefix.readInt32BE(2)); // -1 is null
      }
    }
    return chunk.subarray(0, written);
  };
}
