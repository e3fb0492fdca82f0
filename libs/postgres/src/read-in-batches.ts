import type pg from 'pg';
import { answerLimit, limitedTo } from './answer-limit';
import type { Database } from './database';
import { connectForLong } from './long-reading';

/** Target sizes of a batch in characters or bytes: alone, and beside other work. A row may be larger. */
const batchSize = { alone: 64 * 1024, beside: 16 * 1024 };
const firstBatch = 8;
const largestBatch = 512;
const longestStatementMs = 5 * 60_000;
/**
 * A reader that pauses longer counts as gone. All rows are wanted, so the plan is the one that reads all of
 * them in the least time.
 */
const settings = `
  set local idle_in_transaction_session_timeout = '5min';
  set local statement_timeout = ${longestStatementMs};
  set local client_connection_check_interval = '1s';
  set local cursor_tuple_fraction = 1`;

export interface LongQuery {
  sql: string;
  /** The parameters $1, $2, …. */
  values: readonly unknown[];
  /** Reads in the order of an index, even if a sort might take less time in total. */
  firstRowsSoon?: boolean;
}

/**
 * The rows of a query of any length at constant memory, each an array of texts. It uses a cursor in a
 * read-only transaction, so all rows are from one snapshot. One batch is fetched ahead. The first batches are
 * small; later ones hold about 64 KB, beside other work 16 KB. Between them the reading yields, see
 * `LongReading`.
 *
 * Abort `signal` when the rows are not needed any more: the connection is closed at once, and Postgres
 * notices within a second, even during a sort.
 */
export async function* readInBatches<Row extends (string | null)[]>(
  db: Pick<Database, 'pool'>,
  { sql, values, firstRowsSoon = false }: LongQuery,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const { client, yieldToOthers, release } = await connectForLong(db.pool, signal);
  let whole = false;
  const limited = <Config extends pg.QueryConfig>(config: Config) =>
    limitedTo(answerLimit(longestStatementMs), config);
  // During a query this closes the socket, which fails the query.
  const cut = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', cut, { once: true });
  const fetch = async (size: number): Promise<Row[]> => {
    const text = `fetch forward ${size} from rows`;
    const { rows } = await client.query<Row>(limited({ text, rowMode: 'array' as const }));
    return rows;
  };
  try {
    signal.throwIfAborted();
    const order = firstRowsSoon ? '; set local enable_sort = off' : '';
    await client.query(limited({ text: `begin read only; ${settings}${order}` }));
    const cursor = `declare rows no scroll cursor for ${sql}`;
    await client.query(limited({ text: cursor, values: values as unknown[] }));
    let size = firstBatch;
    let isLast = false;
    for (let next = fetch(size); !isLast;) {
      const rows = await next;
      signal.throwIfAborted();
      isLast = rows.length < size;
      if (!isLast) {
        const average = rows.reduce((sum, row) => sum + sizeOf(row), 1) / rows.length;
        next = yieldToOthers().then((isAlone) => {
          const most = Math.floor(batchSize[isAlone ? 'alone' : 'beside'] / average);
          size = Math.min(largestBatch, size * 2, Math.max(1, most));
          return fetch(size);
        });
        next.catch(() => undefined); // thrown where it is awaited, unless the reader stops before
      }
      if (rows.length > 0) yield rows;
    }
    await client.query(limited({ text: 'commit' }));
    whole = true;
  } finally {
    signal.removeEventListener('abort', cut);
    release(!whole);
  }
}

const sizeOf = (row: (string | null)[]): number =>
  row.reduce((sum, text) => sum + (text === null ? 0 : text.length), 0);

/**
 * The texts of a query with one text column, concatenated, as bytes of UTF-8. The rest is as in
 * `readInBatches`.
 */
export async function* readTexts(
  db: Pick<Database, 'pool'>,
  query: LongQuery,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const rows of readInBatches<[string]>(db, query, signal)) {
    const texts = rows.flat();
    const piece = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    let at = 0;
    for (const text of texts) at += piece.write(text, at);
    yield piece;
  }
}
