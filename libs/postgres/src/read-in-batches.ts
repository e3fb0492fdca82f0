import type pg from 'pg';
import { answerLimit, limitedTo } from './answer-limit';
import type { Database } from './database';
import { connectForLong } from './long-reading';

/** Target size of a batch in characters. A row may be larger. */
const batchSize = 64 * 1024;
const firstBatch = 8;
const largestBatch = 128;
const longestStatementMs = 5 * 60_000;
/** A reader that pauses longer counts as gone. */
const settings = `
  set local idle_in_transaction_session_timeout = '5min';
  set local statement_timeout = ${longestStatementMs};
  set local client_connection_check_interval = '1s'`;

/**
 * The rows of a query of any length at constant memory, each an array of texts. It uses a cursor in a
 * read-only transaction, so all rows are from one snapshot. The next batch is fetched when the last one was
 * consumed. The first batches are small; later ones hold about `batchSize` characters.
 *
 * Abort `signal` when the rows are not needed any more: the connection is closed at once, and Postgres
 * notices within a second, even during a sort.
 */
export async function* readInBatches<Row extends (string | null)[]>(
  db: Pick<Database, 'pool'>,
  sql: string,
  values: readonly unknown[],
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const { client, release } = await connectForLong(db.pool, signal);
  let whole = false;
  const limited = <Config extends pg.QueryConfig>(config: Config) =>
    limitedTo(answerLimit(longestStatementMs), config);
  // During a query this closes the socket, which fails the query.
  const cut = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    await client.query(limited({ text: `begin read only; ${settings}` }));
    const cursor = `declare rows no scroll cursor for ${sql}`;
    await client.query(limited({ text: cursor, values: values as unknown[] }));
    for (let size = firstBatch; ;) {
      const { rows } = await client.query<Row>(
        limited({ text: `fetch forward ${size} from rows`, rowMode: 'array' as const }),
      );
      signal.throwIfAborted();
      if (rows.length > 0) yield rows;
      if (rows.length < size) break;
      const average = rows.reduce((sum, row) => sum + sizeOf(row), 1) / rows.length;
      size = Math.min(largestBatch, size * 2, Math.max(1, Math.floor(batchSize / average)));
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
